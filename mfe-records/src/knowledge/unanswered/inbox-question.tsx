import type { UnansweredQuestion } from 'api/contract/knowledge';
import type { HttpFailure } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { Fault } from 'host/ui/fault.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useHold } from 'host/ui/use-hold.ts';
import { memo, useEffect, useId, useRef, useState } from 'react';
import { lateDialog } from '../../lib/late-dialog.tsx';
import { useServices } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useCheckedSave } from '../changes/use-checked-save.ts';
import { nameOf } from '../lib/collection-choice.tsx';
import { whenOf } from '../lib/describe-document.ts';
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
export const InboxQuestion = memo(
  function InboxQuestion(props: InboxQuestionProps) {
    const t = useTexts(knowledgeTexts);
    const { dates } = useFormats();
    const { question: one, isOpen, isLeaving, names, tell, onOpen, onSettled, onGolden } = props;
    const { http, toasts, storage } = useServices();
    const day = whenOf(one.lastAskedAt, dates, t);

    /** The number is shown only if the question is there for both reasons. */
    const reasonLabel = (reason: 'notFound' | 'notHelpful') => {
      const isMixed = one.notFound > 0 && one.notHelpful > 0;
      return t(`inbox.${reason}`) + (isMixed ? ` ${one[reason]}` : '');
    };

    const dismiss = () =>
      run(async () => {
        await http.post(`/api/knowledge/unanswered/${encodeURIComponent(one.id)}/dismiss`);
        storage.remove(draftKey(one.id));
        toasts.show({ kind: 'success', text: t('inbox.dismissed') });
        onSettled(one.id);
      });
    /** Another editor was first: removes the question here, too. The typed text is moved to the dialog for a new answer. */
    const refuse = (failure: HttpFailure) => {
      if (failure.status !== 404 && failure.status !== 409) return tell(failure);
      const written = storage.get<AnswerText>(draftKey(one.id));
      const isKept = Boolean(written?.answer.trim()) && storage.get(pairDraftKey(null)) === undefined;
      if (isKept) storage.set(pairDraftKey(null), { question: one.question, ...written });
      storage.remove(draftKey(one.id));
      toasts.show({ kind: 'info', text: t(isKept ? 'inbox.answered.kept' : 'inbox.answered') });
      onSettled(one.id);
    };
    const { isBusy: isDismissing, run } = useAction({ onFailure: refuse });

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
              question={one}
              {...{ names, isDismissing }}
              draftKey={draftKey(one.id)}
              onDismiss={dismiss}
              onGolden={() => onGolden(one.question)}
              onRefused={refuse}
              onSaved={() => {
                toasts.show({ kind: 'success', text: t('inbox.saved') });
                onSettled(one.id);
              }}
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

function draftKey(id: string): string {
  return `knowledge/answer/${id}`;
}

interface InboxAnswerProps {
  question: UnansweredQuestion;
  names: ReadonlyMap<string, string>;
  draftKey: string;
  isDismissing: boolean;
  onDismiss(): void;
  onGolden(): void;
  onSaved(): void;
  onRefused(failure: HttpFailure): void;
}

/** The text typed as answer to a question. */
type AnswerText = Pick<PairText, 'answer' | 'variants'>;

const NOTHING: AnswerText = { answer: '', variants: [] };
const ChangedDialog = lateDialog(async () => (await import('../changes/changed-dialog.tsx')).ChangedDialog);

/** The answer to an unanswered question. When saved it becomes a curated pair and is shown to those who asked. */
function InboxAnswer(props: InboxAnswerProps) {
  const t = useTexts(knowledgeTexts);
  const { question: one, names, draftKey, isDismissing, onDismiss, onGolden, onSaved, onRefused } = props;
  const { http, storage, updates } = useServices();
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
        if (failure.status === 404 || failure.status === 409) return onRefused(failure);
        throw error;
      }
      storage.remove(draftKey);
      onSaved();
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
        <Button look="small bare" label={t('inbox.dismiss')} aria-disabled={isBusy} onClick={onDismiss} />
        <Button look="small primary" label={t(label)} aria-disabled={isBusy} onClick={save} />
      </div>
      {(step.status === 'asking' || step.status === 'unchecked') && (
        <ChangedDialog step={step} onClose={checked.back} onGoOn={checked.goOn} />
      )}
    </div>
  );
}
