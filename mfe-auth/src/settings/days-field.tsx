import type { Translate } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import { useId } from 'react';
import styles from './settings.module.css';
import type { SettingsTexts } from './settings-texts.ts';

interface DaysFieldProps {
  label: string;
  note: string;
  placeholder?: string;
  value: number | null;
  t: Translate<SettingsTexts>;
  onChange(days: number | null): void;
}

/** Whether it is a number of days that the server accepts; null is none. */
export function isDays(value: number | null): boolean {
  return value === null || (Number.isInteger(value) && value >= 1 && value <= 3650);
}

/** A number of days; empty is null. */
export function DaysField({ label, note, placeholder, value, t, onChange }: DaysFieldProps) {
  const id = useId();
  const isValid = isDays(value);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className={`input num ${styles.days}`}
        id={id}
        type="number"
        inputMode="numeric"
        min={1}
        max={3650}
        step={1}
        placeholder={placeholder}
        value={value ?? ''}
        aria-invalid={!isValid || undefined}
        aria-describedby={`${id}-note`}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      />
      <p className={`field-note ${isValid ? '' : 'error'}`} id={`${id}-note`}>
        {!isValid && <Icon name="alert" />}
        {isValid ? note : t('days.invalid')}
      </p>
    </div>
  );
}
