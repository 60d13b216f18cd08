import type { LogoReply } from 'api/contract/settings';
import { Button, FileButton } from 'host/ui/button.tsx';
import { deskAddress } from 'host/ui/desk-address.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useId, useRef, useState } from 'react';
import { FormError } from '../form-error.tsx';
import { useServices } from '../services.ts';
import { settingsTexts } from '../texts.ts';
import styles from './settings.module.css';

interface LogoFieldProps {
  /** Version of the logo; null: the default logo. */
  logo: string | null;
  onChange(logo: string | null): void;
}

const MAX_BYTES = 256 * 1024;

/** Chooses a picture and uploads it at once; it becomes the logo when the settings are saved. */
export function LogoField({ logo, onChange }: LogoFieldProps) {
  const t = useTexts(settingsTexts);
  const { http } = useServices();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const { isBusy: isSending, failure, run, clear } = useAction();
  const error = isTooLarge ? t('logo.tooLarge') : (failure?.message ?? '');

  const send = (file: File | undefined) => {
    if (!file) return;
    setTooLarge(file.size > MAX_BYTES);
    if (file.size > MAX_BYTES) return clear();
    void run(async (signal) => {
      const headers = { 'Content-Type': file.type || 'application/octet-stream' };
      const { data } = await http.put<LogoReply>('/api/settings/logo', file, { headers });
      if (!signal.aborted) onChange(data.logo);
    });
  };

  return (
    <fieldset className="stack">
      <legend>{t('field.logo')}</legend>
      <div className="line gap-s3 wrap">
        {logo !== null && (
          <img
            className={styles.logo}
            src={deskAddress(`/api/desk/logo?v=${logo}`)}
            alt={t('logo.alt')}
            width="40"
            height="40"
          />
        )}
        <FileButton
          ref={input}
          icon="image"
          label={t(isSending ? 'logo.sending' : 'logo.choose')}
          accept="image/png,image/jpeg,image/webp"
          disabled={isSending}
          aria-describedby={`${id}-note`}
          onFile={send}
        />
        {logo !== null && (
          <Button
            look="bare"
            label={t('logo.remove')}
            onClick={() => {
              onChange(null);
              input.current?.focus();
            }}
          />
        )}
      </div>
      <p className="field-note" id={`${id}-note`}>
        {t('field.logo.note')}
      </p>
      <FormError text={error} />
    </fieldset>
  );
}
