const FOCUSABLE = 'a[href], button:not([disabled]), input:not([disabled]), textarea, select, summary';

/** Moves the focus to `selector` in the part of the page around `control`. Call it before `control` disappears. */
export function focusPart(control: Element, selector: string): void {
  const part = control.closest<HTMLElement>(selector);
  if (!part) return;
  if (!part.hasAttribute('tabindex')) part.tabIndex = -1;
  part.focus({ preventScroll: true });
}

/**
 * Moves the focus from a row that is about to disappear to a control of the next one, or else of the previous one, or else to the title of the
 * dialog or the page around it. Call it before the row disappears, not when the server has confirmed it.
 */
export function focusNeighbour(row: Element | null): void {
  if (!row?.contains(document.activeElement)) return;
  // Rows may be grouped, for example by day.
  const list = row.closest('[role=group]') ?? row.parentElement!;
  const rows: Element[] = [...list.querySelectorAll(row.localName)];
  const at = rows.indexOf(row);
  const others = [...rows.slice(at + 1), ...rows.slice(0, at).reverse()];
  const next = others.map((other) => other.querySelector<HTMLElement>(FOCUSABLE)).find(Boolean);
  const title = row.closest('dialog, main')?.querySelector('h1, h2');
  if (next) next.focus({ preventScroll: true });
  else if (title) focusPart(title, 'h1, h2');
}
