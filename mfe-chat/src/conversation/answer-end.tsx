import type { AnsweredSince as Answer } from 'api/contract/records';
import { DialogLoading } from 'host/ui/dialog-loading.tsx';
import { formatDay } from 'host/ui/format-date.ts';
import { Icon } from 'host/ui/icon.tsx';
import { createLatePart, Late } from 'host/ui/late-part.tsx';
import { focusPart } from 'host/ui/move-focus.ts';
import { SourceMark } from 'host/ui/source-mark.tsx';
import { useSelected } from 'host/ui/use-stream.ts';
import { useState } from 'react';
import { AskPersonButton } from '../people/ask-person-button.tsx';
import { reasonTexts } from '../sources/answer-reason-texts.ts';
import { useChat } from '../state/chat-context.ts';
import { type ChatMessage, type MessageFailure, outcomeOf, questionKeyOf } from '../state/chat-message.ts';
import { AmbiguousContact } from './ambiguous-contact.tsx';
import { AnswerText } from './answer-text.tsx';
import { CopyButton } from './copy-button.tsx';
import styles from './message.module.css';
import { Thumbs } from './thumbs.tsx';
import { useSecondsUntil } from './use-seconds-until.ts';

export const answerReason = createLatePart(() => import('../sources/answer-reason.tsx'), reasonTexts);

/** The end of a finished answer: status, suggested questions and actions. */
export function AnswerEnd({ message }: { message: ChatMessage }) {
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
              <button type="button" onClick={() => chat.consultation.send(question)}>
                <bdi>{question}</bdi>
                <Icon name="arrow" isSmall />
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
        <button
          className="icon-button"
          type="button"
          aria-label={t('answerAgain')}
          title={t('answerAgain')}
          onClick={({ currentTarget }) => {
            focusPart(currentTarget, 'article');
            chat.consultation.retry(message.key);
          }}
        >
          <Icon name="retry" />
        </button>
      )}
      {message.state !== 'failed' && message.recordId && <Thumbs message={message} />}
      {message.recordId && <ExplainButton recordId={message.recordId} />}
      {message.model && <span className={styles.model}>{t('answeredBy', { model: message.model })}</span>}
    </div>
  );
}

/** Offers a person where the desk has no answer, and another wording where it found nothing at all. */
function AskPerson({ message: { key, recordId }, isFirst }: { message: ChatMessage; isFirst: boolean }) {
  const { t, chat } = useChat();
  const question = chat.store.message(questionKeyOf(key));
  return (
    <div className={styles.next}>
      <AskPersonButton
        className={isFirst ? 'button small primary' : 'button small'}
        subject={{ recordId, question: question?.text ?? '' }}
      />
      {isFirst && question?.recordId && (
        <button
          className="button small"
          type="button"
          onClick={() => chat.edit.begin({ recordId: question.recordId, text: question.text })}
        >
          {t('rephrase')}
        </button>
      )}
    </div>
  );
}

/** Button that explains an answer: what was searched and found. */
function ExplainButton({ recordId }: { recordId: string }) {
  const { services, t } = useChat();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const fail = () => {
    close();
    services.toasts.show({ kind: 'warning', text: t('partFailed') });
  };
  return (
    <>
      <button
        className={`button small bare ${styles.why}`}
        type="button"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        {t('why')}
      </button>
      {isOpen && (
        <Late
          part={answerReason}
          loading={<DialogLoading label={t('loading')} closeLabel={t('close')} onClose={close} />}
          onFailed={fail}
        >
          {({ AnswerReasonDialog }) => <AnswerReasonDialog recordId={recordId} onClose={close} />}
        </Late>
      )}
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
  const isRunning = useSelected(chat.consultation.state$, ({ runningKey }) => runningKey !== null);
  const isBlocked = seconds > 0 || isRunning;
  return (
    <div className={`${styles.note} ${styles.error}`} role="alert">
      <Icon name="alert" />
      <span>{sentence()}</span>
      <button
        className="button small"
        type="button"
        aria-disabled={isBlocked}
        onClick={({ currentTarget }) => {
          if (isBlocked) return;
          focusPart(currentTarget, 'article');
          chat.consultation.retry(messageKey);
        }}
      >
        <Icon name="retry" isSmall />
        {t(isSent ? 'answerAgain' : 'sendAgain')}
      </button>
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
  const isRunning = useSelected(chat.consultation.state$, ({ runningKey }) => runningKey !== null);
  const askAgain = () => {
    const question = chat.store.message(message.key.replace(/^a:/, 'q:'));
    if (question && !isRunning) chat.consultation.send(question.text);
  };
  return (
    <section className={styles.since} aria-label={t('answeredSince')}>
      <header>
        <b>{t('answeredSince')}</b>
        <SourceMark source="curated" label={t('source.curated')} />
        <time dateTime={since.at}>{formatDay(since.at, services.i18n.locale(), new Date())}</time>
      </header>
      <AnswerText text={since.answer} isGrowing={false} citation={noCitation} />
      <button className="button small" type="button" aria-disabled={isRunning} onClick={askAgain}>
        <Icon name="retry" isSmall />
        {t('askAgain')}
      </button>
    </section>
  );
}

/** Answers by editors have no citations: brackets in them are plain text. */
function noCitation() {
  return null;
}
