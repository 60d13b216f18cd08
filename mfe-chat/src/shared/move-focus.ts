import type { KeyboardEvent } from 'react';

/** Up and down go from link to link of a list. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  // An open menu stands elsewhere in the page, but its keys come by here too.
  if (!step || event.defaultPrevented || (event.target as HTMLElement).tagName === 'INPUT') return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
  const at = links.findIndex((link) => link.parentElement?.contains(document.activeElement));
  links[at < 0 ? 0 : Math.max(0, Math.min(at + step, links.length - 1))]?.focus();
  event.preventDefault();
}
