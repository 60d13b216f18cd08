import type { Translate } from 'host/contract';
import { FormError } from '../form-error.tsx';
import styles from './settings.module.css';
import type { SettingsTexts } from './settings-texts.ts';

interface SaveBarProps {
  t: Translate<SettingsTexts>;
  /** Who saved last, and when. */
  revision: string;
  /** Number of fields that are not saved. */
  count: number;
  isSaving: boolean;
  error: string;
  onSave(): void;
  onDiscard(): void;
}

/** Below the form: whether everything is saved, and the buttons. */
export function SaveBar({ t, revision, count, isSaving, error, onSave, onDiscard }: SaveBarProps) {
  const isIdle = count === 0 || isSaving;
  return (
    <div className={styles.bar}>
      <p role="status">{count === 0 ? revision : t('bar.changed', { count })}</p>
      <FormError text={error} />
      {count > 0 && (
        <button className="button" type="button" aria-disabled={isSaving || undefined} onClick={onDiscard}>
          {t('discard')}
        </button>
      )}
      <button
        className="button primary"
        type="button"
        aria-disabled={isIdle || undefined}
        onClick={() => !isIdle && onSave()}
      >
        {t(isSaving ? 'saving' : 'save')}
      </button>
    </div>
  );
}
