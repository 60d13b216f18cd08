import type { Translate } from 'host/contract';
import { deskAddress } from 'host/ui/desk-address.ts';
import { Icon } from 'host/ui/icon.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useId, useRef, useState } from 'react';
import { FormError } from '../form-error.tsx';
import styles from './settings.module.css';
import type { SettingsCalls } from './settings-calls.ts';
import type { SettingsTexts } from './settings-texts.ts';

interface LogoFieldProps {
  /** Version of the logo; null: the product's own. */
  logo: string | null;
  t: Translate<SettingsTexts>;
  calls: Pick<SettingsCalls, 'sendLogo'>;
  onChange(logo: string | null): void;
}

const MAX_BYTES = 256 * 1024;

/** Chooses a picture and uploads it at once; it becomes the logo when the settings are saved. */
export function LogoField({ logo, t, calls, onChange }: LogoFieldProps) {
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
      const version = await calls.sendLogo(file);
      if (!signal.aborted) onChange(version);
    });
  };

  return (
    <fieldset className={styles.logoField}>
      <legend>{t('field.logo')}</legend>
      <div className={styles.logoRow}>
        {logo !== null && (
          <img
            className={styles.logo}
            src={deskAddress(`/api/desk/logo?v=${logo}`)}
            alt={t('logo.alt')}
            width="40"
            height="40"
          />
        )}
        <label className={`button ${styles.choose}`} aria-disabled={isSending || undefined}>
          <Icon name="image" className="icon-s" />
          {t(isSending ? 'logo.sending' : 'logo.choose')}
          <input
            ref={input}
            className="sr"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            disabled={isSending}
            aria-describedby={`${id}-note`}
            onChange={({ target }) => {
              send(target.files?.[0]);
              target.value = '';
            }}
          />
        </label>
        {logo !== null && (
          <button
            className="button bare"
            type="button"
            onClick={() => {
              onChange(null);
              input.current?.focus();
            }}
          >
            {t('logo.remove')}
          </button>
        )}
      </div>
      <p className="field-note" id={`${id}-note`}>
        {t('field.logo.note')}
      </p>
      <FormError text={error} />
    </fieldset>
  );
}
