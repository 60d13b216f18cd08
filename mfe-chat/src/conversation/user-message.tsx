import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { createLatePart, Late, useLatePart } from 'host/ui/late-part.tsx';
import { focusPart } from 'host/ui/move-focus.ts';
import { useSelected } from 'host/ui/use-stream.ts';
import { type RefObject, useRef } from 'react';
import { filesPart } from '../ask/files/files-part-module.tsx';
import { ContactName } from '../people/contact-label.tsx';
import { useChat, useIsAnswering } from '../state/chat-context.ts';
import type { ChatMessage } from '../state/chat-message.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './message.module.css';

export const questionEditor = createLatePart(
  () => import(/* webpackChunkName: "editor" */ './question-editor.tsx'),
);

/** The visitor's question: a bubble with the avatar on the right and pictures above the text. */
export function UserMessage({ message }: { message: ChatMessage }) {
  const { services, t, chat } = useChat();
  const { part: files } = useLatePart(filesPart);
  const editRef = useRef<HTMLButtonElement>(null);
  const edited = useSelected(chat.edit.edited$, (edit) =>
    edit && edit.recordId === message.recordId ? edit.text : null,
  );
  // The button is there again once the editor has been removed.
  const focusEdit = () => requestAnimationFrame(() => editRef.current?.focus());
  const [before, after] = t('forWhom').split('{who}');
  const hasFiles = message.isImage || message.files.length > 0;
  return (
    <article
      className={`${styles.message} ${styles.user}`}
      aria-label={t('myQuestion')}
      data-marked={message.isMarked || undefined}
      aria-current={message.isMarked ? 'true' : undefined}
    >
      <img className="avatar" src={services.avatars.user} alt={t('me')} width="32" height="32" />
      <div className={styles.body}>
        {message.contact && (
          <p className={styles.whom} title={message.contact.id}>
            <Icon name="user" isSmall />
            <span className="clip">
              {before}
              <ContactName contact={message.contact} />
              {after}
            </span>
          </p>
        )}
        {hasFiles && files && <files.Pictures message={message} />}
        {edited === null ? (
          message.text && (
            <p className={styles.bubble} dir="auto">
              {message.text}
            </p>
          )
        ) : (
          <Late part={questionEditor}>
            {({ QuestionEditor }) => <QuestionEditor message={message} text={edited} onClose={focusEdit} />}
          </Late>
        )}
        {hasFiles && files && <files.MessageFiles message={message} />}
        {edited === null && <QuestionActions message={message} editRef={editRef} />}
        {message.state === 'unsent' && (
          <p className={`${styles.note} ink-error`}>
            <Icon name="offline" />
            <span>{t('unsent')}</span>
            <Button
              look="small"
              label={t('sendNow')}
              onClick={({ currentTarget }) => {
                focusPart(currentTarget, 'article');
                chat.consultation.reconnect();
              }}
            />
          </p>
        )}
        {message.state === 'failed' && (
          <p className={`${styles.note} ink-error`}>
            <Icon name="alert" />
            <span>{t('notSent')}</span>
          </p>
        )}
      </div>
    </article>
  );
}

interface QuestionActionsProps {
  message: ChatMessage;
  editRef: RefObject<HTMLButtonElement | null>;
}

/**
 * Buttons for a question's versions, to edit and to copy. They do not change while an answer runs, which would render thousands of
 * questions in a long conversation; the editor shows whether a question can be asked now.
 */
function QuestionActions({ message, editRef }: QuestionActionsProps) {
  const { t, chat } = useChat();
  const { text, recordId } = message;
  const isBlocked = !recordId;
  return (
    <div className={styles.asked}>
      {message.versions && <Versions message={message} />}
      {text && (
        <IconButton
          ref={editRef}
          icon="pencil"
          label={t('editQuestion')}
          hasTitle
          aria-disabled={isBlocked}
          onClick={() => isBlocked || chat.edit.begin({ recordId, text })}
        />
      )}
      {text && <CopyButton text={text} label={t('copyQuestion')} copied={t('questionCopied')} />}
    </div>
  );
}

/** ‹ 2/3 ›: which version of the question and its answer is shown. */
function Versions({ message }: { message: ChatMessage }) {
  const { t, chat } = useChat();
  const isBlocked = useIsAnswering();
  const { at, of } = message.versions!;
  const step = (label: string, to: number, direction: 'left' | 'right') => {
    const isOff = isBlocked || to < 1 || to > of;
    return (
      <IconButton
        icon="chevron"
        iconClassName={direction}
        label={label}
        hasTitle
        aria-disabled={isOff}
        onClick={() => isOff || chat.consultation.showVersion(message.key, to)}
      />
    );
  };
  return (
    <>
      {step(t('versionBefore'), at - 1, 'left')}
      <span className={styles.count} role="status">
        <span aria-hidden="true">
          {at}/{of}
        </span>
        <span className="sr">{t('versionAt', { at, of })}</span>
      </span>
      {step(t('versionAfter'), at + 1, 'right')}
    </>
  );
}
