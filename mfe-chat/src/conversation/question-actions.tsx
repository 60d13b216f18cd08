import { IconButton } from 'host/ui/icon-button.tsx';
import type { RefObject } from 'react';
import { useChat, useIsAnswering } from '../state/chat-context.ts';
import type { ChatMessage } from '../state/chat-message.ts';
import { CopyButton } from './copy-button.tsx';
import styles from './message.module.css';

interface QuestionActionsProps {
  message: ChatMessage;
  editRef: RefObject<HTMLButtonElement | null>;
}

/**
 * Buttons for a question's versions, to edit and to copy. They do not change while an answer runs, which would render thousands of
 * questions in a long conversation; the editor shows whether a question can be asked now.
 */
export function QuestionActions({ message, editRef }: QuestionActionsProps) {
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
