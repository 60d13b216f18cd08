import type { Citation } from 'api/contract/answers';
import { CitationButton, CitationMark } from 'host/ui/citation-mark.tsx';
import { useLatePart } from 'host/ui/late-part.tsx';
import { SourceMark } from 'host/ui/source-mark.tsx';
import { useSelected } from 'host/ui/use-stream.ts';
import { type ReactNode, useCallback } from 'react';
import type { ChatMessage } from '../conversation/chat-message.ts';
import { filesPart } from '../files/files-part-module.ts';
import { useChat } from '../shared/chat-context.ts';
import { AnswerEnd } from './answer-end.tsx';
import { AnswerText } from './answer-text.tsx';
import { formatClock } from './format-time.ts';
import styles from './message.module.css';
import { Reasoning } from './reasoning.tsx';

/** An answer: its text, source, citations and actions. */
export function BotMessage({ message }: { message: ChatMessage }) {
  const { services, chat, t } = useChat();
  const { key: answer, citations, state, text } = message;
  // A stopped answer without a source is not an unanswered question.
  const source = state === 'done' || message.source !== 'none' ? message.source : null;
  const isRunning = state === 'waiting' || state === 'answering';
  const openNumber = useSelected(chat.source$, (open) => (open?.key === answer ? open.n : 0));
  const toggle = useCallback(
    (n: number) => {
      const { value } = chat.source$;
      const isOpen = value?.key === answer && value.n === n;
      chat.source$.next(isOpen ? null : { key: answer, citations, n });
    },
    [chat, answer, citations],
  );
  const citation = useCallback(
    (n: number, key: string): ReactNode => {
      // While the answer streams, its sources are not known yet; the server only sends numbers that will have one.
      if (isRunning) return <CitationMark key={key} n={n} />;
      const cited = citations[n - 1];
      return (
        cited && (
          <CitationButton
            key={key}
            n={n}
            label={t('citationOf', { n, title: cited.title })}
            isOpen={n === openNumber}
            onCite={toggle}
          />
        )
      );
    },
    [citations, isRunning, openNumber, toggle, t],
  );

  // The question shows that it is waiting to be sent.
  if (state === 'unsent') return null;
  return (
    <article
      className={styles.message}
      aria-label={t('answerOfDesk')}
      aria-busy={isRunning}
      data-marked={message.isMarked || undefined}
      aria-current={message.isMarked ? 'true' : undefined}
    >
      <img className="avatar" src={services.avatars.bot} alt={t('desk')} width="32" height="32" />
      <div className={styles.body}>
        <div className={styles.meta}>
          <span>{t('desk')}</span>
          {source && !isRunning && <SourceMark source={source} label={t(`source.${source}`)} />}
          {isRunning ? (
            <span className={styles.running}>
              <i />
              {t(runningText(message))}
            </span>
          ) : (
            <time dateTime={message.createdAt}>{formatClock(message.createdAt, services.i18n.locale())}</time>
          )}
        </div>
        {message.progress && <Progress message={message} />}
        {message.reasoning && (
          <Reasoning text={message.reasoning} isThinking={isRunning && state === 'waiting'} />
        )}
        {state === 'waiting' && !text && !message.progress && !message.reasoning && <WaitingSkeleton />}
        {text && <AnswerText text={text} isGrowing={state === 'answering'} citation={citation} />}
        {!isRunning && citations.length > 0 && (
          <Sources citations={citations} openNumber={openNumber} onToggle={toggle} />
        )}
        {!isRunning && <AnswerEnd message={message} />}
      </div>
    </article>
  );
}

function runningText({ state, progress, reasoning }: ChatMessage) {
  if (progress) return progress.kind === 'upload' ? 'uploading' : 'readingFiles';
  if (state === 'answering') return 'answering';
  return reasoning ? 'thinking' : 'lookingUp';
}

function Progress({ message }: { message: ChatMessage }) {
  const { part: files } = useLatePart(filesPart);
  return files && message.progress ? <files.FilesProgress progress={message.progress} /> : null;
}

function WaitingSkeleton() {
  return (
    <div className={styles.waiting} aria-hidden="true">
      <span className="skeleton-line" />
      <span className="skeleton-line" />
    </div>
  );
}

interface SourcesProps {
  citations: readonly Citation[];
  openNumber: number;
  onToggle(n: number): void;
}

/** The list of all sources under an answer. */
function Sources({ citations, openNumber, onToggle }: SourcesProps) {
  const { t } = useChat();
  return (
    <fieldset className={styles.sources} aria-label={t('citations')}>
      {citations.map(({ title, href, start }, index) => (
        <button
          key={`${href}:${start}`}
          type="button"
          aria-haspopup="dialog"
          aria-expanded={index + 1 === openNumber}
          onClick={() => onToggle(index + 1)}
        >
          <CitationMark n={index + 1} className={styles.number} />
          {title}
        </button>
      ))}
    </fieldset>
  );
}
