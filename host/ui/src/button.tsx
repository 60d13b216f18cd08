import type { ComponentProps, ReactNode } from 'react';
import { Icon } from './icon.tsx';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'className'> {
  label: ReactNode;
  icon?: string;
  /** Classes besides `button`: `primary`, `danger`, `danger-quiet`, `bare`, `small`, or those of a screen. */
  look?: string | undefined;
  /** Marked as disabled, but keeps the focus. Clicks do nothing; a form whose button it is decides itself. */
  isOff?: boolean | undefined;
}

/** A button with a text. It does not submit a form unless `type` says so. */
export function Button({ label, icon, look, isOff = false, onClick, ...attributes }: ButtonProps) {
  return (
    <button
      className={look ? `button ${look}` : 'button'}
      type="button"
      aria-disabled={isOff || undefined}
      onClick={isOff ? undefined : onClick}
      {...attributes}
    >
      {icon && <Icon name={icon} isSmall />}
      {label}
    </button>
  );
}

interface FileButtonProps extends Omit<ComponentProps<'input'>, 'className' | 'onChange' | 'type'> {
  label: ReactNode;
  icon: string;
  onFile(file: File | undefined): void;
}

/** A button that opens the browser's file chooser. The same file can be chosen again. */
export function FileButton({ label, icon, onFile, ...attributes }: FileButtonProps) {
  return (
    <label className="button" aria-disabled={attributes.disabled || undefined}>
      <Icon name={icon} isSmall />
      {label}
      <input
        className="sr"
        type="file"
        {...attributes}
        onChange={({ target }) => {
          onFile(target.files?.[0]);
          target.value = '';
        }}
      />
    </label>
  );
}
