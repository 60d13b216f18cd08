import { Button } from 'host/ui/button.tsx';
import { Dialog, DialogActions } from 'host/ui/dialog.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import styles from './composition.module.css';
import type { OpsFailure } from './ops-calls.ts';
import type { OpsToken } from './ops-token.ts';
import { useScreen } from './screen-context.ts';

interface TokenDialogProps {
  opsToken: Pick<OpsToken, 'trade' | 'prove' | 'mayProve'>;
  onDone(): void;
  onClose(): void;
}

/** Asks for the ops token, or for the password of an account that may operate; both are sent to the server once and never stored. */
export function TokenDialog({ opsToken, onDone, onClose }: TokenDialogProps) {
  const { t } = useScreen();
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [mayProve, setMayProve] = useState(false);
  const [byPassword, setByPassword] = useState(false);
  useEffect(() => {
    const offer = (may: boolean) => {
      setMayProve(may);
      // What has been typed already is a token.
      setByPassword(may && !field.current?.value);
    };
    opsToken.mayProve().then(offer, () => undefined);
  }, [opsToken]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another field has no focus
  useLayoutEffect(() => field.current?.focus(), [byPassword]);

  const refuse = (text: string) => {
    setProblem(text);
    setBusy(false);
    field.current?.focus();
    field.current?.select();
  };
  const submit = async () => {
    const typed = field.current?.value.trim() ?? '';
    if (!typed) return refuse(t('token.empty'));
    setBusy(true);
    setProblem('');
    try {
      await (byPassword ? opsToken.prove(typed) : opsToken.trade(typed));
      onDone();
    } catch (thrown) {
      const { error, message } = thrown as OpsFailure;
      refuse(error === 'ops_token_wrong' ? t('token.wrong') : message);
    }
  };

  return (
    <Dialog
      title={t('token.title')}
      closeLabel={t('close')}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={submit}
      foot={
        <DialogActions
          cancelLabel={t('cancel')}
          onCancel={onClose}
          label={t('token.submit')}
          isBusy={isBusy}
        />
      }
    >
      <p className={styles.explanation}>{t(byPassword ? 'token.ofAccount' : 'token.why')}</p>
      <TextField
        key={String(byPassword)}
        label={t(byPassword ? 'token.password' : 'token.field')}
        inputRef={field}
        type="password"
        autoComplete={byPassword ? 'current-password' : 'off'}
        autoCapitalize="off"
        spellCheck={false}
        note=" "
        fault={problem}
      />
      {mayProve && (
        <Button
          look="bare small"
          label={t(byPassword ? 'token.useToken' : 'token.usePassword')}
          onClick={() => {
            setProblem('');
            setByPassword(!byPassword);
          }}
        />
      )}
    </Dialog>
  );
}
