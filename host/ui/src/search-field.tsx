import type { ComponentProps } from 'react';
import { Icon } from './icon.tsx';

interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'className' | 'onChange' | 'type'> {
  /** Also the placeholder. */
  label: string;
  className?: string | undefined;
  onText(text: string): void;
}

/** A search field that filters a list. All other properties are passed to the input. */
export function SearchField({ label, className = '', onText, ...attributes }: SearchFieldProps) {
  return (
    <label className={`search ${className}`}>
      <span className="sr">{label}</span>
      <Icon name="search" />
      <input
        className="input"
        type="search"
        placeholder={label}
        onChange={({ target }) => onText(target.value)}
        {...attributes}
      />
    </label>
  );
}
