import { grouped } from 'host/ui/grouped.ts';
import { Icon } from 'host/ui/icon.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { type RefObject, useId } from 'react';
import { historyTexts } from '../lib/texts.ts';
import { spacedId } from './filters/contact-label.ts';
import { isSameContact, isSameCount } from './filters/same-contact.ts';

/** What has to be typed to confirm an action. */
export type Confirmation = { by: 'contact'; id: string } | { by: 'count'; count: number };

interface ConfirmFieldProps {
  inputRef?: RefObject<HTMLInputElement | null>;
  confirmation: Confirmation;
  /** Whether the button was pressed with a wrong text; then the field says what is missing. */
  isRefused: boolean;
  value: string;
  onChange(value: string): void;
  onEnter(): void;
}

export function isConfirmed(confirmation: Confirmation, typed: string): boolean {
  return confirmation.by === 'contact'
    ? isSameContact(typed, confirmation.id)
    : isSameCount(typed, confirmation.count);
}

/** Requires typing the contact's id or the count, to prevent accidental deletion. */
export function ConfirmField(props: ConfirmFieldProps) {
  const t = useTexts(historyTexts);
  const { inputRef, confirmation, isRefused, value, onChange, onEnter } = props;
  const inputId = useId();
  const { by } = confirmation;
  const isRight = isConfirmed(confirmation, value);
  const expected = by === 'contact' ? spacedId(confirmation.id) : grouped(confirmation.count);
  // An incomplete number is not reported as wrong.
  const isWhole = value.replace(/[\s,-]/g, '').length >= expected.replace(/[\s,-]/g, '').length;
  const isWrong = !isRight && (isRefused || isWhole);
  return (
    <div className="field">
      <label htmlFor={inputId}>
        {by === 'contact'
          ? t('erase.confirm.contact', { id: expected })
          : t('erase.confirm.count', { count: expected })}
      </label>
      <input
        className="input num"
        id={inputId}
        ref={inputRef}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode={by === 'count' ? 'numeric' : 'text'}
        value={value}
        aria-invalid={isWrong || undefined}
        aria-describedby={`${inputId}-note`}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onEnter();
        }}
      />
      <p
        className={`field-note ${isRight ? 'success' : isWrong ? 'error' : ''}`}
        id={`${inputId}-note`}
        role="status"
      >
        {(isRight || isWrong) && <Icon name={isRight ? 'check' : 'alert'} />}
        {isRight && t(`erase.confirmed.${by}`)}
        {isWrong && (value.trim() ? t(`erase.wrong.${by}`) : t('erase.missing', { id: expected }))}
      </p>
    </div>
  );
}
