import { Dialog, DialogActions } from 'host/ui/dialog.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useLayoutEffect, useRef, useState } from 'react';
import styles from './composition.module.css';
import type { OpsFailure } from './ops-calls.ts';
import { useScreen } from './screen-context.ts';

interface TokenDialogProps {
  trade(opsToken: string): Promise<void>;
  onDone(): void;
  onClose(): void;
}

/** Asks for the ops token, which is sent to the server once and never stored. */
export function TokenDialog({ trade, onDone, onClose }: TokenDialogProps) {
  const { t } = useScreen();
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  useLayoutEffect(() => field.current?.focus(), []);

  const refuse = (text: string) => {
    setProblem(text);
    setBusy(false);
    field.current?.focus();
    field.current?.select();
  };
  const submit = async () => {
    const token = field.current?.value.trim() ?? '';
    if (!token) return refuse(t('token.empty'));
    setBusy(true);
    setProblem('');
    try {
      await trade(token);
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
      <p className={styles.explanation}>{t('token.why')}</p>
      <TextField
        label={t('token.field')}
        inputRef={field}
        type="password"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        note=" "
        fault={problem}
      />
    </Dialog>
  );
}
