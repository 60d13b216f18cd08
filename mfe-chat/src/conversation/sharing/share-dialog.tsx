import type { Conversation } from 'api/contract/records';
import type { Share } from 'api/contract/sharing';
import { Button } from 'host/ui/button.tsx';
import { copyText } from 'host/ui/copy-text.ts';
import { Dialog } from 'host/ui/dialog.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { Problem } from 'host/ui/problem.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useChat } from '../../state/chat-context.ts';
import type { ChatState } from '../../state/chat-state.ts';
import { shareTexts, useTexts } from '../../state/part-texts.ts';
import styles from './share-dialog.module.css';
import { SharedLinks } from './shared-links.tsx';
import { useShare } from './use-share.ts';

interface ShareDialogProps {
  conversation: Conversation;
  onClose(): void;
}

/** Creates, updates and revokes the link through which anyone can read a conversation. */
export function ShareDialog({ conversation, onClose }: ShareDialogProps) {
  const { chat } = useChat();
  const t = useTexts(shareTexts);
  const control = useShare(conversation.id);
  const { share, failure, url } = control;
  const [chosen, setChosen] = useState<{ files?: boolean; versions?: boolean }>({});
  const action = useAction();
  const { isBusy } = action;
  const [days, setDays] = useState<number | null | undefined>(undefined);
  const [showsAll, setShowsAll] = useState(false);
  const [done, setDone] = useState('');
  const primary = useRef<HTMLButtonElement>(null);
  const copy = useRef<HTMLButtonElement>(null);
  const files = control.hasFiles && (chosen.files ?? share?.files ?? false);
  const versions = control.hasVersions && (chosen.versions ?? share?.versions ?? false);

  const message = action.failure?.message ?? done;
  const run = async (write: () => Promise<void>, text: string) => {
    setDone('');
    if (await action.run(write)) setDone(text);
  };
  // The pressed button may have disappeared: focuses the link, or else the create button.
  useEffect(() => {
    if (done) (copy.current ?? primary.current)?.focus();
  }, [done]);
  const request = () => ({
    files,
    versions,
    shown: shownVersions(chat, conversation.id),
    ...(days !== undefined && { days }),
  });
  const create = () => run(() => control.create(request()), t(share ? 'replaced' : 'created'));
  const update = () => run(() => control.update(request()), t('updated'));
  const revoke = () => run(control.revoke, t('revoked'));

  if (showsAll)
    return <SharedLinks onBack={() => setShowsAll(false)} onClose={onClose} onRevoked={control.reload} />;
  return (
    <Dialog
      title={t('title')}
      closeLabel={t('close')}
      isBusy={isBusy}
      onClose={onClose}
      foot={
        share !== undefined && (
          <div className={styles.actions}>
            {share && (
              <Button
                look="danger-quiet"
                label={t('revoke')}
                aria-disabled={isBusy}
                onClick={() => void revoke()}
              />
            )}
            {share && <Button label={t('replace')} aria-disabled={isBusy} onClick={() => void create()} />}
            <Button
              ref={primary}
              look="primary"
              label={t(share ? 'update' : 'create')}
              aria-disabled={isBusy}
              onClick={() => void (share ? update() : create())}
            />
          </div>
        )
      }
    >
      <div className={styles.body}>
        <p>{t('about')}</p>
        <p>{t('snapshot')}</p>
        {failure !== null && (
          <Problem
            level={3}
            title={t('failed')}
            message={failure}
            retryLabel={t('retry')}
            onRetry={control.reload}
          />
        )}
        {failure === null && share === undefined && (
          <Skeleton label={t('loading')} lines={['most', 'half']} />
        )}
        {control.hasVersions && (
          <Choice
            label={t('versions')}
            hint={t('versionsHint')}
            isChecked={versions}
            isDisabled={isBusy}
            onChange={(isChecked) => setChosen({ ...chosen, versions: isChecked })}
          />
        )}
        {control.hasFiles && (
          <Choice
            label={t('files')}
            hint={t('filesHint')}
            isChecked={files}
            isDisabled={isBusy}
            onChange={(isChecked) => setChosen({ ...chosen, files: isChecked })}
          />
        )}
        {share !== undefined && <Ends share={share} days={days} isDisabled={isBusy} onChange={setDays} />}
        {share && <Link share={share} url={url} copyRef={copy} />}
        <p
          className={action.failure ? `field-note error ${styles.message}` : `field-note ${styles.message}`}
          role="status"
        >
          {action.failure && <Icon name="alert" />}
          {message}
        </p>
        <Button look="small bare" label={t('allLinks')} onClick={() => setShowsAll(true)} />
      </div>
    </Dialog>
  );
}

/** Ids of the versions that are shown of its questions; none if another conversation is open. */
function shownVersions({ consultation, store }: ChatState, conversationId: string): string[] {
  if (consultation.state$.value.conversationId !== conversationId) return [];
  return store.chatList.flatMap(({ versions, recordId }) => (versions && recordId ? [recordId] : []));
}

interface ChoiceProps {
  label: string;
  hint: string;
  isChecked: boolean;
  isDisabled: boolean;
  onChange(isChecked: boolean): void;
}

function Choice({ label, hint, isChecked, isDisabled, onChange }: ChoiceProps) {
  const hintId = useId();
  return (
    <div>
      <label className="choice">
        <input
          className="check"
          type="checkbox"
          checked={isChecked}
          disabled={isDisabled}
          aria-describedby={hintId}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {label}
      </label>
      <p id={hintId} className="field-note">
        {hint}
      </p>
    </div>
  );
}

const DAYS = [7, 30, 90];

interface EndsProps {
  share: Share | null;
  /** Days until the link expires; null: never; undefined: unchanged. */
  days: number | null | undefined;
  isDisabled: boolean;
  onChange(days: number | null | undefined): void;
}

/** Select box for when the link expires. An existing link keeps its date until another is saved. */
function Ends({ share, days, isDisabled, onChange }: EndsProps) {
  const { services } = useChat();
  const t = useTexts(shareTexts);
  const end = share?.expiresAt ? new Date(share.expiresAt) : null;
  const date = end && new Intl.DateTimeFormat(services.i18n.locale(), { dateStyle: 'medium' }).format(end);
  return (
    <TextField
      label={t('ends')}
      choices={[
        ...(date ? [['kept', end <= new Date() ? t('ends.over') : t('ends.kept', { date })] as const] : []),
        ['0', t('ends.0')],
        ...DAYS.map((one) => [`${one}`, t(`ends.${one}` as 'ends.7')] as const),
      ]}
      disabled={isDisabled}
      value={days === undefined ? (end ? 'kept' : '0') : String(days ?? 0)}
      onText={(value) => onChange(value === 'kept' ? undefined : Number(value) || null)}
    />
  );
}

interface LinkProps {
  share: Share;
  url: string;
  copyRef: RefObject<HTMLButtonElement | null>;
}

function Link({ share, url, copyRef }: LinkProps) {
  const { services } = useChat();
  const t = useTexts(shareTexts);
  const { i18n, toasts } = services;
  const fieldId = useId();
  const time = new Intl.DateTimeFormat(i18n.locale(), { dateStyle: 'medium', timeStyle: 'short' });
  const copy = () => copyText(url, toasts, { copied: t('copied'), failed: t('copyFailed') });
  const values = {
    created: time.format(new Date(share.createdAt)),
    updated: time.format(new Date(share.updatedAt)),
  };
  return (
    <div className="field">
      {url ? (
        <>
          <label htmlFor={fieldId}>{t('link')}</label>
          <div className={styles.link}>
            <input
              id={fieldId}
              className="input"
              readOnly
              value={url}
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
            <Button ref={copyRef} icon="copy" label={t('copy')} onClick={() => void copy()} />
          </div>
        </>
      ) : (
        <p>{t('unknown')}</p>
      )}
      <p className="field-note">{t('state', { count: share.recordCount, ...values })}</p>
    </div>
  );
}
