/** One symbol of the sprite that stands in the page. */
export function Icon({ name, isSmall = false }: { name: string; isSmall?: boolean }) {
  return (
    <svg className={isSmall ? 'icon icon-s' : 'icon'} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}
