import type { Citation } from 'api/contract/answers';
import type { AnsweredSince as Answer, Contact } from 'api/contract/records';
import { Button } from 'host/ui/button.tsx';
import { CitationButton, CitationMark, DoubtMark } from 'host/ui/citation-mark.tsx';
import { citedPlace } from 'host/ui/cited-place.ts';
import { FoldedRest } from 'host/ui/folded-rest.tsx';
import { formatClock, formatDay } from 'host/ui/format-date.ts';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useLatePart } from 'host/ui/late-part.tsx';
import { markDoubts, shownCitations } from 'host/ui/mark-doubts.ts';
import { focusPart } from 'host/ui/move-focus.ts';
import { OutcomeMark, SourceMark } from 'host/ui/source-mark.tsx';
import { useSecondsUntil } from 'host/ui/use-seconds-until.ts';
import { useSelected } from 'host/ui/use-stream.ts';
import { type ReactNode, useCallback, useState } from 'react';
import { filesPart } from '../ask/files/files-part-module.tsx';
import { AskPersonButton } from '../people/ask-person-button.tsx';
import { ContactId, nameOf } from '../people/contact-label.tsx';
import { useChat, useIsAnswering } from '../state/chat-context.ts';
import { type ChatMessage, type MessageFailure, outcomeOf, questionKeyOf } from '../state/chat-message.ts';
import { lateDialog } from '../state/late-dialog.tsx';
import { reasonTexts } from '../state/part-texts.ts';
import { AnswerText } from './answer-text.tsx';
import { CopyButton } from './copy-button.tsx';
import styles from './message.module.css';
import { Thumbs } from './thumbs.tsx';

/** An answer: its text, source, citations and actions. */
export function BotMessage({ message }: { message: ChatMessage }) {
  const { services, chat, t } = useChat();
  const { key: answer, citations, state, doubts } = message;
  const text = markDoubts(message.text, doubts);
  // A stopped answer without a source is not an unanswered question.
  const source = state === 'done' || message.source !== 'none' ? message.source : null;
  const outcome = outcomeOf(message);
  const isUnanswered = outcome === 'related' || outcome === 'nothing';
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
      if (n === 0) return isRunning ? null : <DoubtMark key={key} label={t('noSupport')} />;
      if (isRunning) return <CitationMark key={key} n={n} />;
      const cited = citations[n - 1];
      return (
        cited &&
        !cited.isWithdrawn && (
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

  // The question itself shows that it is waiting to be sent.
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
          {isUnanswered && <OutcomeMark outcome={outcome} label={t(`outcome.${outcome}`)} />}
          {source && !isRunning && !isUnanswered && (
            <SourceMark source={source} label={t(`source.${source}`)} />
          )}
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
        {!isRunning && message.understoodAs && <UnderstoodAs message={message} />}
        {text && (
          <div
            className={
              outcome === 'related' ? styles.related : source === 'document' ? styles.extracted : undefined
            }
          >
            <AnswerText text={text} isGrowing={state === 'answering'} citation={citation} />
          </div>
        )}
        {!isRunning && (
          <FoldedRest citations={citations} sectionLabel={t('restOfSection')} rowLabel={t('restOfRow')}>
            {(markdown) => <AnswerText text={markdown} isGrowing={false} />}
          </FoldedRest>
        )}
        {message.unsupported.length > 0 && (
          <p className={styles.unsupported}>
            {t('unsupported')}
            {message.unsupported.map((part) => (
              <b key={part}>{part}</b>
            ))}
          </p>
        )}
        {!isRunning && citations.length > 0 && outcome !== 'related' && (
          <Sources
            citations={shownCitations(message.text, citations, doubts)}
            openNumber={openNumber}
            onToggle={toggle}
          />
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

/** How a question was understood, and a button to ask it without the earlier questions. */
function UnderstoodAs({ message: { key, understoodAs } }: { message: ChatMessage }) {
  const { chat, t } = useChat();
  const isRunning = useIsAnswering();
  return (
    <p className={styles.understood}>
      <span>{t('understoodAs', { question: understoodAs })}</span>
      <button
        className="link"
        type="button"
        aria-disabled={isRunning || undefined}
        onClick={({ currentTarget }) => {
          if (isRunning) return;
          focusPart(currentTarget, 'article');
          chat.consultation.askAlone(key);
        }}
      >
        {t('askAlone')}
      </button>
    </p>
  );
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
  citations: readonly (Citation & { n: number })[];
  openNumber: number;
  onToggle(n: number): void;
}

/** The list of all sources under an answer, grouped by document, each with its place in it. A withdrawn source cannot be opened. */
function Sources({ citations, openNumber, onToggle }: SourcesProps) {
  const { t } = useChat();
  const documents = [...Map.groupBy(citations, ({ title }) => title)];
  const placeOf = (citation: Citation) => citedPlace(citation, (key, values) => t(`at.${key}`, values));
  return (
    <fieldset className={styles.sources} aria-label={t('citations')}>
      {documents.map(([title, some]) => (
        <div key={title}>
          {some.map((citation, index) => {
            const { n, isWithdrawn } = citation;
            const place = placeOf(citation);
            const label = (
              <>
                <CitationMark n={n} className={styles.number} />
                {index === 0 && <bdi>{title}</bdi>}
                {place !== '' && <small>{place}</small>}
              </>
            );
            if (isWithdrawn) return <span key={n}>{label}</span>;
            return (
              <button
                key={n}
                className="unboxed"
                type="button"
                aria-haspopup="dialog"
                aria-expanded={n === openNumber}
                aria-label={index === 0 ? undefined : `${n} ${title} ${place}`}
                onClick={() => onToggle(n)}
              >
                {label}
              </button>
            );
          })}
        </div>
      ))}
    </fieldset>
  );
}

interface ReasoningProps {
  text: string;
  /** The answer itself has not started yet. */
  isThinking: boolean;
}

/** The model's reasoning as plain text in a collapsed section. While closed, growing text is not rendered. */
function Reasoning({ text, isThinking }: ReasoningProps) {
  const { t } = useChat();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.reasoning} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron" isSmall />
        {isThinking ? `${t('thinking')}…` : t('reasoning')}
      </summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
        <p tabIndex={0} dir="auto">
          {text}
        </p>
      )}
    </details>
  );
}

export const AnswerReasonDialog = lateDialog(
  async () =>
    (await import(/* webpackChunkName: "reason" */ '../sources/answer-reason.tsx')).AnswerReasonDialog,
  { texts: reasonTexts },
);

/** The end of a finished answer: status, suggested questions and actions. */
function AnswerEnd({ message }: { message: ChatMessage }) {
  const { t, chat } = useChat();
  const { state, suggestions, text, failure } = message;
  const outcome = outcomeOf(message);
  const isUnanswered = outcome === 'related' || outcome === 'nothing';
  return (
    <>
      {state === 'stopped' && (
        <p className={styles.note}>
          <Icon name="stop" />
          {t('stopped')}
        </p>
      )}
      {state === 'failed' &&
        (failure?.choices ? (
          <AmbiguousContact messageKey={message.key} choices={failure.choices} />
        ) : (
          <Failure messageKey={message.key} failure={failure} isSent={message.recordId !== ''} />
        ))}
      {isUnanswered && <AskPerson message={message} isFirst={outcome === 'nothing'} />}
      {suggestions.length > 0 && (
        <ul className={styles.nearest} aria-label={t('nearest')}>
          {suggestions.map((question) => (
            <li key={question}>
              <button className="unboxed" type="button" onClick={() => chat.consultation.send(question)}>
                <bdi>{question}</bdi>
                <Icon name="arrow" className="icon-s push quiet" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {(text || message.recordId) && <Actions message={message} />}
      {message.answeredSince && <AnsweredSince message={message} since={message.answeredSince} />}
    </>
  );
}

function Actions({ message }: { message: ChatMessage }) {
  const { t, chat } = useChat();
  return (
    <div className={styles.actions}>
      <CopyButton text={message.text} label={t('copyAnswer')} copied={t('copied')} />
      {message.state !== 'failed' && message.recordId && (
        <IconButton
          icon="retry"
          label={t('answerAgain')}
          hasTitle
          onClick={({ currentTarget }) => {
            focusPart(currentTarget, 'article');
            chat.consultation.retry(message.key);
          }}
        />
      )}
      {message.state !== 'failed' && message.recordId && <Thumbs message={message} />}
      {message.recordId && <ExplainButton recordId={message.recordId} />}
      {message.model && <span className={styles.model}>{t('answeredBy', { model: message.model })}</span>}
    </div>
  );
}

/** Offers to ask a person, and if nothing was found also to rephrase the question. */
function AskPerson({ message: { key, recordId }, isFirst }: { message: ChatMessage; isFirst: boolean }) {
  const { t, chat } = useChat();
  const question = chat.store.message(questionKeyOf(key));
  return (
    <div className="line wrap mt-s3">
      <AskPersonButton
        className={isFirst ? 'button small primary' : 'button small'}
        subject={{ recordId, question: question?.text ?? '' }}
      />
      {isFirst && question?.recordId && (
        <Button
          look="small"
          label={t('rephrase')}
          onClick={() => chat.edit.begin({ recordId: question.recordId, text: question.text })}
        />
      )}
    </div>
  );
}

/** Button that explains an answer: what was searched and found. */
function ExplainButton({ recordId }: { recordId: string }) {
  const { t } = useChat();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        look={`small bare ${styles.why}`}
        label={t('why')}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      />
      {isOpen && <AnswerReasonDialog recordId={recordId} onClose={() => setIsOpen(false)} />}
    </>
  );
}

interface FailureProps {
  messageKey: string;
  failure: MessageFailure | null;
  /** The server has stored the question, and its answer failed. */
  isSent: boolean;
}

function Failure({ messageKey, failure, isSent }: FailureProps) {
  const { t, chat } = useChat();
  const seconds = useSecondsUntil(failure?.retryAt ?? null);
  const isRunning = useIsAnswering();
  const isBlocked = seconds > 0 || isRunning;
  return (
    <div className={`${styles.note} ink-error`} role="alert">
      <Icon name="alert" />
      <span>{sentence()}</span>
      <Button
        look="small"
        icon="retry"
        label={t(isSent ? 'answerAgain' : 'sendAgain')}
        isOff={isBlocked}
        onClick={({ currentTarget }) => {
          focusPart(currentTarget, 'article');
          chat.consultation.retry(messageKey);
        }}
      />
    </div>
  );

  function sentence(): string {
    if (!failure) return t('interrupted');
    // A complete sentence from the API.
    if (failure.error === 'model_failed') return failure.message;
    if (failure.retryAt) return seconds > 0 ? t('limited', { seconds }) : t('limitOver');
    const reason = failure.error === 'offline' ? t('unreachable') : failure.message;
    return isSent ? t('cutShort', { reason }) : reason;
  }
}

/** A later answer by an editor, where the original found nothing or was rated not helpful. */
function AnsweredSince({ message, since }: { message: ChatMessage; since: Answer }) {
  const { services, t, chat } = useChat();
  const isRunning = useIsAnswering();
  const askAgain = () => {
    const question = chat.store.message(questionKeyOf(message.key));
    if (question && !isRunning) chat.consultation.send(question.text);
  };
  return (
    <section className={styles.since} aria-label={t('answeredSince')}>
      <header>
        <b>{t('answeredSince')}</b>
        <SourceMark source="curated" label={t('source.curated')} />
        <time dateTime={since.at}>{formatDay(since.at, services.i18n.locale(), new Date())}</time>
      </header>
      <AnswerText text={since.answer} isGrowing={false} />
      <Button look="small" icon="retry" label={t('askAgain')} isOff={isRunning} onClick={askAgain} />
    </section>
  );
}

/** Shown if the contact's name was ambiguous, so the question was not sent. Choosing a contact sends it. */
function AmbiguousContact({ messageKey, choices }: { messageKey: string; choices: readonly Contact[] }) {
  const { t, chat } = useChat();
  return (
    <div className={styles.which} role="alert">
      <p className={styles.note}>
        <Icon name="user" />
        <span>{t('ambiguous', { name: choices[0] ? nameOf(choices[0]) : '' })}</span>
      </p>
      <ul className="line wrap mt-s2" aria-label={t('contacts')}>
        {choices.map((contact) => (
          <li key={contact.id}>
            <button
              className="button small"
              type="button"
              onClick={({ currentTarget }) => {
                focusPart(currentTarget, 'article');
                chat.consultation.retry(messageKey, contact);
              }}
            >
              {contact.name && <bdi className="clip">{contact.name}</bdi>}
              <ContactId id={contact.id} className="clip" />
            </button>
          </li>
        ))}
        <li>
          <Button
            look="small bare"
            label={t('takeBack')}
            onClick={() => chat.consultation.takeBack(messageKey)}
          />
        </li>
      </ul>
    </div>
  );
}
