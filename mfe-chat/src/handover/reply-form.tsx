import type { Handover } from 'api/contract/handover';
import { Icon } from 'host/ui/icon.tsx';
import { useEnterKey } from 'host/ui/use-enter-key.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { MAX_QUESTION } from '../composer/drafts.ts';
import { useChat } from '../shared/chat-context.ts';
import { asFailure } from '../shared/http-failure.ts';
import { useHandoverTexts } from './handover-texts.ts';
import { readReplyDraft, saveReplyDraft } from './reply-draft.ts';
import styles from './reply-form.module.css';

/** Writes further messages to the person. Its text is stored until it is sent. */
export function ReplyForm({ handover: { id } }: { handover: Handover }) {
  const { services, chat } = useChat();
  const t = useHandoverTexts();
  const fieldId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { storage, updates } = services;
  const [draft, setDraft] = useState(() => readReplyDraft(storage, id));
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState('');
  const text = draft.text.trim();
  const hasText = text !== '';
  useEffect(() => (hasText ? updates.hold() : undefined), [updates, hasText]);
  useEffect(() => {
    const subscription = chat.handovers.focus$.subscribe((focused) => {
      if (focused !== id) return;
      setDraft(readReplyDraft(storage, id));
      field.current?.focus();
    });
    return () => subscription.unsubscribe();
  }, [chat, storage, id]);

  const tooLong =
    text.length > MAX_QUESTION &&
    t('questionTooLong', { count: text.length.toLocaleString(services.i18n.locale()) });
  const send = async () => {
    if (!hasText || tooLong || isSending) return;
    setIsSending(true);
    setFailure('');
    try {
      await chat.handovers.write(id, { text, clientId: draft.clientId });
      setDraft(saveReplyDraft(storage, id, ''));
      chat.consultation.scrollToEnd$.next();
    } catch (reason) {
      setFailure(asFailure(reason).message);
    } finally {
      setIsSending(false);
    }
  };
  const problem = tooLong || failure;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label htmlFor={fieldId}>{t('reply')}</label>
      <textarea
        ref={field}
        id={fieldId}
        className="input"
        rows={2}
        dir="auto"
        enterKeyHint="send"
        value={draft.text}
        readOnly={isSending}
        aria-invalid={Boolean(tooLong)}
        aria-describedby={`${fieldId}-hint`}
        onChange={({ currentTarget }) => setDraft(saveReplyDraft(storage, id, currentTarget.value))}
        {...useEnterKey(() => void send())}
      />
      {problem && (
        <p className="field-note error" role="alert">
          <Icon name="alert" />
          <span>{problem}</span>
        </p>
      )}
      <div className={styles.bar}>
        <small id={`${fieldId}-hint`}>{t('replyHint')}</small>
        <button className="button small" type="submit" aria-disabled={isSending || Boolean(tooLong)}>
          {t(isSending ? 'sending' : 'send')}
        </button>
      </div>
    </form>
  );
}
