import { Button } from 'host/ui/button.tsx';
import { useEnterKey } from 'host/ui/use-enter-key.ts';
import { useEffect, useRef } from 'react';
import { useChat, useIsAnswering } from '../state/chat-context.ts';
import type { ChatMessage } from '../state/chat-message.ts';
import { MAX_QUESTION } from '../state/drafts.ts';
import styles from './question-editor.module.css';

interface QuestionEditorProps {
  message: ChatMessage;
  text: string;
  /** Called after the question was asked, or editing was cancelled. */
  onClose(): void;
}

/** The field that edits a question in its place. Asking it again adds a version. */
export function QuestionEditor({ message, text, onClose }: QuestionEditorProps) {
  const { t, chat, services } = useChat();
  const isRunning = useIsAnswering();
  const field = useRef<HTMLTextAreaElement>(null);
  const length = text.trim().length;
  const isTooLong = length > MAX_QUESTION;
  const isBlocked = isRunning || isTooLong || length === 0;
  const { updates } = services;
  useEffect(() => updates.hold(), [updates]);
  useEffect(() => {
    const { current } = field;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
    // Waits until the list has scrolled to its end, which this form has moved down.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => current?.form?.scrollIntoView?.({ block: 'nearest' }));
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  const send = () => {
    if (!isBlocked && chat.consultation.askEdited(message.key, text)) onClose();
  };
  const cancel = () => {
    chat.edit.end();
    onClose();
  };
  const enterHandlers = useEnterKey(send);
  return (
    <form
      className={styles.editor}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.nativeEvent.isComposing) cancel();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
        className="input"
        dir="auto"
        aria-label={t('editQuestion')}
        aria-invalid={isTooLong}
        aria-describedby="edit-hint"
        enterKeyHint="send"
        value={text}
        onChange={(event) => chat.edit.change(event.currentTarget.value)}
        {...enterHandlers}
      />
      <p
        id="edit-hint"
        className={isTooLong ? 'type-meta ink-error' : 'type-meta quiet'}
        role={isTooLong ? 'alert' : undefined}
      >
        {isTooLong
          ? t('tooLong', { count: length.toLocaleString(services.i18n.locale()) })
          : t('editKeepsVersion')}
      </p>
      <div className="line to-end">
        <Button label={t('cancelEdit')} onClick={cancel} />
        <Button look="primary" label={t('askAgain')} type="submit" isOff={isBlocked} />
      </div>
    </form>
  );
}
