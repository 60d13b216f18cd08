import type { KeyboardEvent } from 'react';

/** Moves the focus between the links of a list with the arrow keys. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  // React events of an open menu also bubble here, although it is elsewhere in the page.
  if (!step || event.defaultPrevented || (event.target as HTMLElement).tagName === 'INPUT') return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')];
  const at = links.findIndex((link) => link.parentElement?.contains(document.activeElement));
  links[at < 0 ? 0 : Math.max(0, Math.min(at + step, links.length - 1))]?.focus();
  event.preventDefault();
}
