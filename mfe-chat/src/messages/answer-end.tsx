import { DialogLoading } from 'host/ui/dialog-loading.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { createLatePart, Late } from 'host/ui/late-part.tsx';
import { focusPart } from 'host/ui/move-focus.ts';
import { useSelected } from 'host/ui/use-stream.ts';
import { useState } from 'react';
import { type ChatMessage, type MessageFailure, questionKeyOf } from '../conversation/chat-message.ts';
import { AskPersonButton } from '../handover/ask-person-button.tsx';
import { useChat } from '../shared/chat-context.ts';
import { AmbiguousContact } from './ambiguous-contact.tsx';
import { AnsweredSince } from './answered-since.tsx';
import { CopyButton } from './copy-button.tsx';
import styles from './message.module.css';
import { Thumbs } from './thumbs.tsx';
import { useSecondsUntil } from './use-seconds-until.ts';

export const answerReason = createLatePart(() => import('../sources/answer-reason.tsx'));

/** The end of a finished answer: status, suggested questions and actions. */
export function AnswerEnd({ message }: { message: ChatMessage }) {
  const { t, chat } = useChat();
  const { state, suggestions, text, failure } = message;
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
      {state === 'done' && message.source === 'none' && <AskPerson message={message} />}
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

/** Offers a person where the desk found nothing. */
function AskPerson({ message: { key, recordId } }: { message: ChatMessage }) {
  const question = useChat().chat.store.message(questionKeyOf(key))?.text ?? '';
  return (
    <p className={styles.note}>
      <AskPersonButton className="button small" subject={{ recordId, question }} />
    </p>
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
