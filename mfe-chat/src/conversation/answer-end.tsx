import type { AnsweredSince as Answer, Contact } from 'api/contract/records';
import { Button } from 'host/ui/button.tsx';
import { formatDay } from 'host/ui/format-date.ts';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { createLatePart } from 'host/ui/late-part.tsx';
import { focusPart } from 'host/ui/move-focus.ts';
import { SourceMark } from 'host/ui/source-mark.tsx';
import { useSecondsUntil } from 'host/ui/use-seconds-until.ts';
import { useState } from 'react';
import { AskPersonButton } from '../people/ask-person-button.tsx';
import { ContactId, nameOf } from '../people/contact-label.tsx';
import { useChat, useIsAnswering } from '../state/chat-context.ts';
import { type ChatMessage, type MessageFailure, outcomeOf, questionKeyOf } from '../state/chat-message.ts';
import { LateDialog } from '../state/late-dialog.tsx';
import { reasonTexts } from '../state/part-texts.ts';
import { AnswerText } from './answer-text.tsx';
import { CopyButton } from './copy-button.tsx';
import styles from './message.module.css';
import { Thumbs } from './thumbs.tsx';

export const answerReason = createLatePart(
  () => import(/* webpackChunkName: "reason" */ '../sources/answer-reason.tsx'),
  reasonTexts,
);

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
  const close = () => setIsOpen(false);
  return (
    <>
      <Button
        look={`small bare ${styles.why}`}
        label={t('why')}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <LateDialog part={answerReason} onClose={close}>
          {({ AnswerReasonDialog }) => <AnswerReasonDialog recordId={recordId} onClose={close} />}
        </LateDialog>
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
        aria-disabled={isBlocked}
        onClick={({ currentTarget }) => {
          if (isBlocked) return;
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
      <Button look="small" icon="retry" label={t('askAgain')} aria-disabled={isRunning} onClick={askAgain} />
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
