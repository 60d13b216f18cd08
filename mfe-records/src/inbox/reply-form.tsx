import type { HandoverMessageRequest, InboxDetail } from 'api/contract/handover';
import { Button } from 'host/ui/button.tsx';
import { createId } from 'host/ui/create-id.ts';
import { Icon } from 'host/ui/icon.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useEnterKey } from 'host/ui/use-enter-key.ts';
import { useHold } from 'host/ui/use-hold.ts';
import { type RefObject, useId } from 'react';
import { useServices } from '../lib/services.ts';
import { inboxTexts } from '../lib/texts.ts';
import { useDraft } from '../lib/use-draft.ts';
import styles from './handover.module.css';

interface ReplyFormProps {
  detail: InboxDetail;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  onSent(detail: InboxDetail): Promise<void>;
  onRefused(): void;
}

/**
 * The field for a reply. A draft stays until it is sent or discarded, even if another editor takes or closes the request. Hidden if there
 * is neither a draft nor permission to reply.
 */
export function ReplyForm({ detail, fieldRef, onSent, onRefused }: ReplyFormProps) {
  const t = useTexts(inboxTexts);
  const { updates } = useServices();
  const { handover, isMine, agent } = detail;
  const id = useId();
  const isClosed = handover.state === 'closed';
  const isAllowed = !isClosed && (isMine || agent === null);
  const { text, isSending, failure, change, send } = useReply(handover.id, onSent, onRefused);
  const length = text.trim().length;
  useHold(updates, length > 0);
  const submit = async () => {
    if (!isAllowed) return;
    await send();
    fieldRef.current?.focus();
  };
  const keys = useEnterKey(() => void submit());
  if (!isAllowed && length === 0) return null;
  const isTooLong = length > MAX_REPLY;
  const problem = isTooLong
    ? t('reply.tooLong', { most: MAX_REPLY, count: length })
    : failure
      ? t('reply.failed', { message: failure.message.replace(/[。.]$/, '') })
      : isAllowed
        ? ''
        : t(isClosed ? 'reply.kept.closed' : 'reply.kept.theirs', { name: agent ?? '' });
  return (
    <form
      className={`rule-above no-print ${styles.reply}`}
      aria-label={t('reply')}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <textarea
        ref={fieldRef}
        className="input"
        dir="auto"
        rows={3}
        aria-label={t('reply')}
        aria-invalid={isTooLong || undefined}
        aria-describedby={`${id}-note`}
        placeholder={t('reply.hint')}
        enterKeyHint="send"
        readOnly={isSending}
        value={text}
        onChange={({ target }) => change(target.value)}
        {...keys}
      />
      <div className="line gap-s3 mt-s2">
        <p
          id={`${id}-note`}
          className={`field-note grow ${problem ? 'error' : ''}`}
          role={problem ? 'alert' : undefined}
        >
          {problem && <Icon name="alert" />}
          {problem || <span className={styles.keys}>{t('reply.keys')}</span>}
        </p>
        {!isAllowed && <Button look="small" label={t('reply.discard')} onClick={() => change('')} />}
        {isAllowed && (
          <Button
            look="primary"
            label={t(isSending ? 'reply.sending' : 'reply.send')}
            type="submit"
            aria-disabled={isSending || isTooLong || undefined}
          />
        )}
      </div>
    </form>
  );
}

const MAX_REPLY = 8000;

const EMPTY: HandoverMessageRequest = { text: '', clientId: '' };

/**
 * The reply to a request. Its text is stored in this browser until it was sent. A repetition after a failure has the same `clientId`, so that
 * the visitor gets the text once even if only the response was lost.
 */
function useReply(id: string, onSent: (detail: InboxDetail) => Promise<void>, onRefused: () => void) {
  const { http, storage } = useServices();
  const draft = useDraft(storage, `inbox/reply/${id}`, EMPTY);
  const {
    isBusy: isSending,
    failure,
    run,
    clear,
  } = useAction({
    onFailure: ({ status }) => [403, 404, 409].includes(status) && onRefused(),
  });
  const { text, clientId } = draft.value;
  const send = async () => {
    const message = { text: text.trim(), clientId: clientId || createId() };
    if (isSending || !message.text || message.text.length > MAX_REPLY) return false;
    draft.change({ ...message, text });
    return run(async () => {
      const { data } = await http.post<InboxDetail>(`/api/inbox/${encodeURIComponent(id)}/messages`, message);
      draft.discard();
      await onSent(data);
    });
  };
  const change = (next: string) => {
    clear();
    if (next) draft.change({ text: next, clientId: '' });
    else draft.discard();
  };
  return { text, isSending, failure, change, send };
}
