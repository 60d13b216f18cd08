import { Button } from 'host/ui/button.tsx';
import { Dialog, DialogActions } from 'host/ui/dialog.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useSecondsUntil } from 'host/ui/use-seconds-until.ts';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import styles from './composition.module.css';
import type { OpsLease, OpsToken } from './ops-token.ts';
import { useScreen } from './screen-context.ts';

interface TokenDialogProps {
  opsToken: Pick<OpsToken, 'trade' | 'prove' | 'wayToProve' | 'confirmPage'>;
  onDone(): void;
  onClose(): void;
}

const WAYS = {
  token: { about: 'token.why', field: 'token.title', use: 'token.useToken' },
  password: { about: 'token.ofAccount', field: 'token.password', use: 'token.usePassword' },
  provider: { about: 'token.ofProvider', field: undefined, use: 'token.useProvider' },
} as const;

/** Asks for the ops token, or for a proof of an account that may operate; what is entered is sent to the server once and never stored. */
export function TokenDialog({ opsToken, onDone, onClose }: TokenDialogProps) {
  const { t } = useScreen();
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState('');
  const [own, setOwn] = useState<'password' | 'provider' | null>(null);
  const [way, setWay] = useState<keyof typeof WAYS>('token');
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const offer = (offered: typeof own) => {
      setOwn(offered);
      // Text that was already typed must be a token.
      if (offered && !field.current?.value) setWay(offered);
    };
    opsToken.wayToProve().then(offer, () => undefined);
  }, [opsToken]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another field has no focus
  useLayoutEffect(() => field.current?.focus(), [way]);
  useEffect(() => {
    if (way === 'provider') opsToken.confirmPage().then(setUrl, ({ message }) => setProblem(message));
  }, [way, opsToken]);

  const refuse = (text: string) => {
    setProblem(text);
    field.current?.focus();
    field.current?.select();
  };
  const { isBusy, run } = useAction({
    onFailure: ({ error, message }) => refuse(error === 'ops_token_wrong' ? t('token.wrong') : message),
  });
  const submit = async () => {
    const typed = field.current?.value.trim() ?? '';
    if (!typed) return refuse(t('token.empty'));
    setProblem('');
    await run(async () => {
      await (way === 'password' ? opsToken.prove(typed) : opsToken.trade(typed));
      onDone();
    });
  };

  const other = way === 'token' ? own : 'token';
  const { about, field: label } = WAYS[way];
  return (
    <Dialog
      title={t('token.title')}
      isBusy={isBusy}
      onClose={onClose}
      {...(way !== 'provider' && { onSubmit: submit })}
      foot={
        way === 'provider' ? (
          <>
            <Button label={t('cancel')} onClick={onClose} />
            <a className="button primary" href={url} aria-disabled={!url}>
              {t('token.signIn')}
            </a>
          </>
        ) : (
          <DialogActions onCancel={onClose} label={t('token.submit')} isBusy={isBusy} />
        )
      }
    >
      <p className="ink-2">{t(about)}</p>
      {label ? (
        <TextField
          key={way}
          label={t(label)}
          inputRef={field}
          type="password"
          autoComplete={way === 'password' ? 'current-password' : 'off'}
          autoCapitalize="off"
          spellCheck={false}
          note=" "
          fault={problem}
        />
      ) : (
        <p className="field-note error" role="alert">
          {problem}
        </p>
      )}
      {other && (
        <Button
          look="bare small"
          label={t(WAYS[other].use)}
          onClick={() => {
            setProblem('');
            setWay(other);
          }}
        />
      )}
    </Dialog>
  );
}

interface TokenTagProps {
  lease: OpsLease | null;
  onEnter(): void;
  /** Opens the list of tokens. */
  onManage(): void;
  onForget(): void;
}

/** Shows whether changes are allowed and for how long, with a button to end it. */
export function TokenTag({ lease, onEnter, onManage, onForget }: TokenTagProps) {
  const { t } = useScreen();
  const minutes = Math.max(1, Math.ceil(useSecondsUntil(lease?.endsAt ?? null) / 60));
  const first = useRef<HTMLButtonElement>(null);
  const isLeased = lease !== null;
  const wasLeased = useRef(isLeased);
  // The pressed button was replaced: moves the focus to the new one, unless another element has it.
  useEffect(() => {
    if (wasLeased.current === isLeased) return;
    wasLeased.current = isLeased;
    const focused = document.activeElement;
    if (focused === document.body || focused?.id === 'main') first.current?.focus();
  }, [isLeased]);
  if (!lease)
    return (
      <Button
        look="small"
        icon="lock"
        label={<span className="label">{t('token.enter')}</span>}
        ref={first}
        onClick={onEnter}
        aria-label={t('token.enter')}
      />
    );
  const left = (
    <>
      <Icon name="lock" isSmall />
      <span>
        <span className="long">{t('token.valid', { name: lease.name })}</span>
        {t('token.left', { minutes })}
      </span>
    </>
  );
  return (
    <span className={`line gap-s1 ${styles.token}`}>
      {lease.isAdmin ? (
        <button
          ref={first}
          className={`tag ${styles.manage}`}
          type="button"
          title={t('tokens')}
          onClick={onManage}
        >
          {left}
        </button>
      ) : (
        <span className="tag">{left}</span>
      )}
      <Button
        look="bare small"
        icon="close"
        label={<span className="label">{t('token.forget')}</span>}
        ref={lease.isAdmin ? undefined : first}
        onClick={onForget}
        aria-label={t('token.forget')}
      />
    </span>
  );
}
