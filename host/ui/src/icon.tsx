interface IconProps {
  /** Id of a symbol in the page's sprite (host/src/icons.svg) without its prefix `i-`. */
  name: string;
  isSmall?: boolean;
  className?: string | undefined;
}

/** A decorative icon, hidden from screen readers: the text beside it, or the label of its button, says the same. */
export function Icon({ name, isSmall = false, className }: IconProps) {
  return (
    <svg className={['icon', isSmall && 'icon-s', className].filter(Boolean).join(' ')} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}
