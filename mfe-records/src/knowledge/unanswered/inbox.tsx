import type { UnansweredQuestion } from 'api/contract/knowledge';
import type { HttpFailure } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { EmptyState } from 'host/ui/problem.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ListRest } from '../../lib/list-rest.tsx';
import { useServices } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import type { KnowledgeLists } from '../lib/use-knowledge-lists.ts';
import styles from './inbox.module.css';
import { InboxQuestion } from './inbox-question.tsx';

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
          aria-disabled={isRunning}
          title={t('again.about')}
          onClick={() => isRunning || void ask()}
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
          aria-disabled={isBusy}
          aria-label={t('again.reopenOf', { question: question.question })}
          onClick={() => isBusy || void reopen()}
        />
      </div>
    </li>
  );
}
