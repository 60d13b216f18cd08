import type { UnansweredQuestion } from 'api/contract/knowledge';
import type { HttpFailure } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { Fault } from 'host/ui/fault.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { EmptyState } from 'host/ui/problem.tsx';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useHold } from 'host/ui/use-hold.ts';
import { memo, useCallback, useEffect, useId, useRef, useState } from 'react';
import { lateDialog } from '../../lib/late-dialog.tsx';
import { useDesk, useServices } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { ListRest } from '../../lib/use-paged-list.tsx';
import { useCheckedSave } from '../changes/use-checked-save.ts';
import { nameOf } from '../lib/collection-choice.tsx';
import { whenOf } from '../lib/describe-document.ts';
import type { KnowledgeLists } from '../lib/use-knowledge-lists.ts';
import {
  checkAnswer,
  faultOf,
  MAX_ANSWER,
  type PairText,
  pairDraftKey,
  toRequest,
} from '../pairs/check-pair.ts';
import { VariantsField } from '../pairs/variants-field.tsx';
import styles from './inbox.module.css';

interface InboxProps {
  /** Names of collections by id, without the first one. */
  names: ReadonlyMap<string, string>;
  inbox: KnowledgeLists['inbox'];
  tell(failure: HttpFailure): void;
  onChanged(): void;
  /** Opens the form for a golden question with this text. */
  onGolden(question: string): void;
}

const REASONS = ['', 'not_found', 'not_helpful'] as const;

/** Duration of the collapse animation, in ms. */
const FOLDING_MS = 240;

/** Questions without a good answer, most frequent first, each with a form to answer it. */
export function Inbox({ names, inbox: filtered, tell, onChanged, onGolden }: InboxProps) {
  const t = useTexts(knowledgeTexts);
  const { list: inbox, reason, setReason, isAnswerable } = filtered;
  const [openId, setOpenId] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<readonly string[]>([]);
  const section = useRef<HTMLElement>(null);
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);
  useEffect(() => () => timers.current.forEach(clearTimeout), []);
  const { items, total } = inbox;
  const isAll = !reason && !isAnswerable;

  const latest = useRef({ inbox, onChanged });
  latest.current = { inbox, onChanged };
  const settle = useCallback((id: string) => {
    const { inbox: now } = latest.current;
    const at = now.items.findIndex((one) => one.id === id);
    const next = now.items[at + 1] ?? now.items[at - 1];
    setOpenId(null);
    setLeaving((before) => [...before, id]);
    const target = next ? `[data-question="${CSS.escape(next.id)}"] button` : 'h2';
    section.current?.querySelector<HTMLElement>(target)?.focus({ preventScroll: true });
    timers.current.push(
      setTimeout(() => {
        latest.current.inbox.drop(id);
        setLeaving((before) => before.filter((other) => other !== id));
        latest.current.onChanged();
      }, FOLDING_MS),
    );
  }, []);

  return (
    <section className="scroll" aria-label={t('inbox')} ref={section}>
      <div className="section">
        <div className="section-head">
          <h2 tabIndex={-1}>{t('inbox')}</h2>
          {total > 0 && (
            <span className="badge">
              <span aria-hidden="true">{total > 99 ? '99+' : total}</span>
              <span className="sr">{t('inbox.count', { count: total })}</span>
            </span>
          )}
          <span className="end quiet" title={t('inbox.about.long')}>
            {t('inbox.about')}
          </span>
        </div>
        {(reason !== '' || items.length > 0) && (
          <div className="scroll mb-s2">
            <Segments
              label={t('inbox.reason')}
              value={reason}
              choices={REASONS.map((value) => ({ value, label: t(`inbox.reason.${value || 'all'}`) }))}
              onChange={setReason}
            />
          </div>
        )}
        <AskAgain {...{ inbox: filtered, tell, onChanged }} />
        {items.length > 0 && (
          <ul className="ruled" aria-busy={inbox.isBehind || undefined}>
            {items.map((one) =>
              isAnswerable ? (
                <AnswerableQuestion
                  key={one.id}
                  question={one}
                  {...{ tell }}
                  onReopened={() => {
                    inbox.drop(one.id);
                    onChanged();
                  }}
                />
              ) : (
                <InboxQuestion
                  key={one.id}
                  question={one}
                  isOpen={one.id === openId}
                  isLeaving={leaving.includes(one.id)}
                  {...{ names, tell, onGolden }}
                  onOpen={(isOpen) => setOpenId(isOpen ? one.id : null)}
                  onSettled={settle}
                />
              ),
            )}
          </ul>
        )}
        <ListRest
          list={inbox}
          title={t('inbox.failed')}
          more={t('inbox.more')}
          look="small"
          className="mt-s3"
          label={t('loading')}
          lines={['most', 'third', 'half', 'third']}
        >
          <EmptyState
            isDone
            level={3}
            title={t(isAll ? 'inbox.empty' : 'inbox.reason.empty')}
            about={isAll && t('inbox.empty.about')}
          />
        </ListRest>
      </div>
    </section>
  );
}

/** Asks the questions again for which nothing was found, and switches to those that have an answer now. */
function AskAgain({ inbox, tell, onChanged }: Omit<InboxProps, 'names' | 'onGolden'>) {
  const t = useTexts(knowledgeTexts);
  const services = useServices();
  const { list, again, isAnswerable, setAnswerable } = inbox;
  const { askingAgain, answerable } = again;
  const { isBusy, run } = useAction({ onFailure: tell });
  const ask = () =>
    run(async () => {
      await services.http.post('/api/knowledge/unanswered/ask-again');
      onChanged();
    });
  const isRunning = askingAgain > 0 || isBusy;
  if (!isAnswerable && answerable === 0 && !isRunning && list.items.length === 0) return null;
  return (
    <div className="line wrap mb-s2">
      {!isAnswerable && list.items.length > 0 && (
        <Button
          look="small"
          label={t('again.ask')}
          isOff={isRunning}
          title={t('again.about')}
          onClick={ask}
        />
      )}
      {(isAnswerable || answerable > 0) && (
        <Button
          look="small bare"
          label={t('again.answerable', { count: answerable })}
          aria-pressed={isAnswerable}
          onClick={() => setAnswerable(!isAnswerable)}
        />
      )}
      <span role="status" className="quiet">
        {askingAgain > 0 && t('again.running', { count: askingAgain })}
      </span>
    </div>
  );
}

interface AnswerableProps extends Pick<InboxProps, 'tell'> {
  question: UnansweredQuestion;
  onReopened(): void;
}

/** A question that has an answer now, with a button to list it as unanswered again. */
function AnswerableQuestion({ question, tell, onReopened }: AnswerableProps) {
  const t = useTexts(knowledgeTexts);
  const services = useServices();
  const { isBusy, run } = useAction({ onFailure: tell });
  const reopen = () =>
    run(async () => {
      await services.http.post(`/api/knowledge/unanswered/${encodeURIComponent(question.id)}/reopen`);
      onReopened();
    });
  return (
    <li className={styles.question}>
      <div className={styles.line}>
        <b className="grow breakable" dir="auto">
          {question.question}
        </b>
        <Button
          look="small bare"
          label={t('again.reopen')}
          isOff={isBusy}
          aria-label={t('again.reopenOf', { question: question.question })}
          onClick={reopen}
        />
      </div>
    </li>
  );
}

interface InboxQuestionProps {
  question: UnansweredQuestion;
  isOpen: boolean;
  /** Whether the question was answered or dismissed and is collapsing. */
  isLeaving: boolean;
  /** Names of collections by id, without the first one. */
  names: ReadonlyMap<string, string>;
  tell(failure: HttpFailure): void;
  onOpen(isOpen: boolean): void;
  onSettled(id: string): void;
  onGolden(question: string): void;
}

/** A group of similar questions: how often it was asked and, once opened, a form for the answer. */
const InboxQuestion = memo(
  function InboxQuestion(props: InboxQuestionProps) {
    const t = useTexts(knowledgeTexts);
    const { dates } = useFormats();
    const { question: one, isOpen, isLeaving, names, tell, onOpen, onSettled, onGolden } = props;
    const day = whenOf(one.lastAskedAt, dates, t);

    /** The number is shown only if the question is there for both reasons. */
    const reasonLabel = (reason: 'notFound' | 'notHelpful') => {
      const isMixed = one.notFound > 0 && one.notHelpful > 0;
      return t(`inbox.${reason}`) + (isMixed ? ` ${one[reason]}` : '');
    };

    return (
      <li
        className={styles.question}
        data-open={isOpen || undefined}
        data-leaving={isLeaving || undefined}
        data-question={one.id}
        inert={isLeaving}
      >
        <div>
          <div className={styles.line}>
            <p className="grow">
              <b className="block breakable" dir="auto">
                {one.question}
              </b>
              <small className="block num">
                {one.count > 1
                  ? t('inbox.times', { count: one.count, day })
                  : t('inbox.once', { count: 1, day })}
                {one.notFound > 0 && <span className="tag">{reasonLabel('notFound')}</span>}
                {one.notHelpful > 0 && <span className="tag">{reasonLabel('notHelpful')}</span>}
              </small>
            </p>
            {isOpen ? (
              <IconButton
                icon="chevron"
                iconClassName="up"
                label={t('inbox.fold', { question: one.question })}
                isSmall
                aria-expanded="true"
                onClick={() => onOpen(false)}
              />
            ) : (
              <Button
                look={`small bare ${styles.write}`}
                label={t('inbox.write')}
                aria-expanded="false"
                aria-label={t('inbox.writeOf', { question: one.question })}
                onClick={() => onOpen(true)}
              />
            )}
          </div>
          {isOpen && (
            <InboxAnswer
              {...{ question: one, names, tell, onSettled }}
              onGolden={() => onGolden(one.question)}
            />
          )}
        </div>
      </li>
    );
  },
  (before, after) =>
    before.question === after.question &&
    before.isOpen === after.isOpen &&
    before.isLeaving === after.isLeaving &&
    before.names === after.names &&
    before.tell === after.tell,
);

interface InboxAnswerProps extends Pick<InboxQuestionProps, 'question' | 'names' | 'tell' | 'onSettled'> {
  onGolden(): void;
}

/** The text typed as answer to a question. */
type AnswerText = Pick<PairText, 'answer' | 'variants'>;

const NOTHING: AnswerText = { answer: '', variants: [] };
const ChangedDialog = lateDialog(async () => (await import('../changes/changed-dialog.tsx')).ChangedDialog);

/** The answer to an unanswered question. When saved it becomes a curated pair and is shown to those who asked. */
function InboxAnswer({ question: one, names, tell, onGolden, onSettled }: InboxAnswerProps) {
  const { t, http, storage, toasts, updates } = useDesk(knowledgeTexts);
  const draftKey = `knowledge/answer/${one.id}`;
  const text = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(storage, draftKey, NOTHING);
  const { answer, variants } = draft.value;
  useHold(updates, draft.isChanged);
  const [isTried, setIsTried] = useState(false);
  const id = useId();
  const [chosen, setChosen] = useState('');
  const collectionId = one.collections.includes(chosen) ? chosen : (one.collections[0] ?? 'everyone');
  const fault = faultOf(answer, MAX_ANSWER, 'pair.missing.answer', t);
  useEffect(() => text.current?.focus(), []);

  const dismiss = () =>
    run(async () => {
      await http.post(`/api/knowledge/unanswered/${encodeURIComponent(one.id)}/dismiss`);
      storage.remove(draftKey);
      toasts.show({ kind: 'success', text: t('inbox.dismissed') });
      onSettled(one.id);
    });
  /** Another editor was first: removes the question here, too. The typed text is moved to the dialog for a new answer. */
  const refuse = (failure: HttpFailure) => {
    if (failure.status !== 404 && failure.status !== 409) return tell(failure);
    const written = storage.get<AnswerText>(draftKey);
    const isKept = Boolean(written?.answer.trim()) && storage.get(pairDraftKey(null)) === undefined;
    if (isKept) storage.set(pairDraftKey(null), { question: one.question, ...written });
    storage.remove(draftKey);
    toasts.show({ kind: 'info', text: t(isKept ? 'inbox.answered.kept' : 'inbox.answered') });
    onSettled(one.id);
  };
  const { isBusy: isDismissing, run } = useAction({ onFailure: refuse });

  const request = () => ({ ...toRequest({ question: one.question, variants, answer }), collectionId });
  const checked = useCheckedSave({
    subject: JSON.stringify(request()),
    check: (signal) => checkAnswer(http, request(), signal),
    save: async () => {
      const { question: _, ...body } = request();
      try {
        await http.post(`/api/knowledge/unanswered/${encodeURIComponent(one.id)}/answer`, body);
      } catch (error) {
        const failure = asFailure(error);
        if (failure.status === 404 || failure.status === 409) return refuse(failure);
        throw error;
      }
      storage.remove(draftKey);
      toasts.show({ kind: 'success', text: t('inbox.saved') });
      onSettled(one.id);
    },
  });
  const { step } = checked;
  const isBusy = step.status === 'checking' || step.status === 'saving' || isDismissing;
  const save = () => {
    if (isBusy) return;
    setIsTried(true);
    if (fault) return text.current?.focus();
    void checked.begin();
  };
  const label =
    step.status === 'checking' ? 'pair.checking' : step.status === 'saving' ? 'saving' : 'inbox.save';

  return (
    <div className="stack mt-s2">
      <textarea
        ref={text}
        className="input"
        dir="auto"
        rows={4}
        aria-label={t('pair.answer')}
        value={answer}
        aria-invalid={(isTried && fault !== '') || undefined}
        onChange={({ target }) => draft.change({ answer: target.value, variants })}
      />
      {isTried && fault && <Fault>{fault}</Fault>}
      <VariantsField
        isBrief
        variants={variants}
        offered={one.alike}
        onChange={(next) => draft.change({ answer, variants: next })}
      />
      {names.size > 0 && (
        <div className="line">
          <label htmlFor={id}>{t('collection')}</label>
          <select
            className="input grow"
            id={id}
            value={collectionId}
            title={t('inbox.into.about')}
            onChange={({ target }) => setChosen(target.value)}
          >
            {one.collections.map((each) => (
              <option key={each} value={each}>
                {nameOf({ name: names.get(each) ?? '' }, t)}
              </option>
            ))}
          </select>
        </div>
      )}
      {step.status === 'failed' && <Fault>{step.failure.message}</Fault>}
      <div className="line wrap to-end">
        <Button look={`small bare ${styles.golden}`} label={t('golden.make')} onClick={onGolden} />
        <Button look="small bare" label={t('inbox.dismiss')} isOff={isBusy} onClick={dismiss} />
        <Button look="small primary" label={t(label)} isOff={isBusy} onClick={save} />
      </div>
      {(step.status === 'asking' || step.status === 'unchecked') && (
        <ChangedDialog step={step} onClose={checked.back} onGoOn={checked.goOn} />
      )}
    </div>
  );
}
