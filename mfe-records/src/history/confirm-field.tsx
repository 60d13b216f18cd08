import type { Translate } from 'host/contract';
import { type RefObject, useId } from 'react';
import { spacedId } from '../filters/contact-label.ts';
import { Icon } from '../icon.tsx';
import type { HistoryWords } from './history-words.ts';
import { isSameContact, isSameCount } from './same-contact.ts';

/** What has to be typed before a deed. */
export type Confirmation = { by: 'contact'; id: string } | { by: 'count'; count: number };

interface ConfirmFieldProps {
  inputRef?: RefObject<HTMLInputElement | null>;
  confirmation: Confirmation;
  value: string;
  t: Translate<HistoryWords>;
  onChange(value: string): void;
  onEnter(): void;
}

export function isConfirmed(confirmation: Confirmation, typed: string): boolean {
  return confirmation.by === 'contact'
    ? isSameContact(typed, confirmation.id)
    : isSameCount(typed, confirmation.count);
}

/** The contact's id or the count, typed: what cannot happen by a slip of the hand. */
export function ConfirmField({ inputRef, confirmation, value, t, onChange, onEnter }: ConfirmFieldProps) {
  const inputId = useId();
  const { by } = confirmation;
  const isRight = isConfirmed(confirmation, value);
  // A number on its way to being whole is not called wrong.
  const expected = by === 'contact' ? confirmation.id : String(confirmation.count);
  const isWrong = !isRight && value.replace(/[\s-]/g, '').length >= expected.length;
  return (
    <div className="field">
      <label htmlFor={inputId}>
        {by === 'contact'
          ? t('erase.confirm.contact', { id: spacedId(confirmation.id) })
          : t('erase.confirm.count', { count: confirmation.count })}
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
          if (isRight) onEnter();
        }}
      />
      <p
        className={`field-note ${isRight ? 'success' : isWrong ? 'error' : ''}`}
        id={`${inputId}-note`}
        role="status"
      >
        {(isRight || isWrong) && <Icon name={isRight ? 'check' : 'alert'} />}
        {isRight && t(`erase.confirmed.${by}`)}
        {isWrong && t(`erase.wrong.${by}`)}
      </p>
    </div>
  );
}
