import type { ComponentProps } from 'react';
import { Icon } from './icon.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: string;
  iconClassName?: string | undefined;
  /** Accessible name. */
  label: string;
  /** Shows the label as a tooltip, too. */
  hasTitle?: boolean;
  isSmall?: boolean;
}

/** A button that shows only an icon. */
export function IconButton({
  icon,
  iconClassName,
  label,
  hasTitle = false,
  isSmall = false,
  className,
  ...attributes
}: IconButtonProps) {
  return (
    <button
      className={['icon-button', isSmall && 'small', className].filter(Boolean).join(' ')}
      type="button"
      aria-label={label}
      title={hasTitle ? label : undefined}
      {...attributes}
    >
      <Icon name={icon} className={iconClassName} />
    </button>
  );
}
