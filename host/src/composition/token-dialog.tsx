import { Dialog } from 'host/ui/dialog.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useId, useLayoutEffect, useRef, useState } from 'react';
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
  const id = useId();
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
        <>
          <button className="button" type="button" onClick={onClose} disabled={isBusy}>
            {t('cancel')}
          </button>
          <button className="button primary" type="submit" aria-disabled={isBusy}>
            {t('token.submit')}
          </button>
        </>
      }
    >
      <p className={styles.explanation}>{t('token.why')}</p>
      <div className="field">
        <label htmlFor={id}>{t('token.field')}</label>
        <input
          ref={field}
          className="input"
          id={id}
          type="password"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}-note`}
        />
        <p
          className={problem ? 'field-note error' : 'field-note'}
          id={`${id}-note`}
          role={problem && 'alert'}
        >
          {problem && (
            <>
              <Icon name="alert" />
              {problem}
            </>
          )}
        </p>
      </div>
    </Dialog>
  );
}
