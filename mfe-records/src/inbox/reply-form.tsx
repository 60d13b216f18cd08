import type { InboxDetail } from 'api/contract/handover';
import type { HostServices, Translate } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import { useEnterKey } from 'host/ui/use-enter-key.ts';
import { useHold } from 'host/ui/use-hold.ts';
import { type RefObject, useId } from 'react';
import styles from './handover.module.css';
import type { InboxTexts } from './inbox-texts.ts';
import { MAX_REPLY, useReply } from './use-reply.ts';

interface ReplyFormProps {
  detail: InboxDetail;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  services: Pick<HostServices, 'http' | 'storage' | 'updates'>;
  t: Translate<InboxTexts>;
  onSent(detail: InboxDetail): Promise<void>;
  onRefused(): void;
}

/**
 * The field for a reply, which stays until a draft is sent or discarded, even if another editor takes the request or it is closed meanwhile.
 * Hidden if there is neither a draft nor permission to reply.
 */
export function ReplyForm({ detail, fieldRef, services, t, onSent, onRefused }: ReplyFormProps) {
  const { http, storage, updates } = services;
  const { handover, isMine, agent } = detail;
  const id = useId();
  const isClosed = handover.state === 'closed';
  const isAllowed = !isClosed && (isMine || agent === null);
  const { text, isSending, failure, change, send } = useReply({
    http,
    storage,
    id: handover.id,
    onSent,
    onRefused,
  });
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
      className={styles.reply}
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
      <div className={styles.bar}>
        <p
          id={`${id}-note`}
          className={`field-note ${problem ? 'error' : ''}`}
          role={problem ? 'alert' : undefined}
        >
          {problem && <Icon name="alert" />}
          {problem || <span className={styles.keys}>{t('reply.keys')}</span>}
        </p>
        {!isAllowed && (
          <button className="button small" type="button" onClick={() => change('')}>
            {t('reply.discard')}
          </button>
        )}
        {isAllowed && (
          <button
            className="button primary"
            type="submit"
            aria-disabled={isSending || isTooLong || undefined}
          >
            {t(isSending ? 'reply.sending' : 'reply.send')}
          </button>
        )}
      </div>
    </form>
  );
}
