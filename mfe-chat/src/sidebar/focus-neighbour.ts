/**
 * Moves the focus from a row that is about to disappear to the next one, or else the previous one. Call it before the row disappears, not when
 * the server has confirmed it: until then the focus would be nowhere, and the next action could take it.
 */
export function focusNeighbour(row: HTMLElement | null): void {
  if (!row?.contains(document.activeElement)) return;
  const links = [...(row.closest('[role=group]')?.querySelectorAll('a') ?? [])];
  const at = links.findIndex((link) => row.contains(link));
  const neighbour = links[at + 1] ?? links[at - 1] ?? document.getElementById('main');
  neighbour?.focus({ preventScroll: true });
}
