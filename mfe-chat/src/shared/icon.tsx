interface IconProps {
  /** Of the sprite in the page, without its `i-`. */
  name: string;
  small?: boolean;
  className?: string | undefined;
}

export function Icon({ name, small = false, className = '' }: IconProps) {
  return (
    <svg className={`icon ${small ? 'icon-s' : ''} ${className}`} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}
