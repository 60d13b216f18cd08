/** Call before a row disappears; the returned function moves the focus to its neighbour if it was in the row. */
export function focusAfter(row: HTMLElement | null): () => void {
  const neighbour = neighbourOf(row);
  return () => {
    if (document.activeElement === document.body || row?.contains(document.activeElement))
      (neighbour ?? document.getElementById('main'))?.focus({ preventScroll: true });
  };
}

/** The row that receives the focus when this one is removed: the next, or else the previous one. */
function neighbourOf(row: HTMLElement | null): HTMLElement | undefined {
  const links = [...(row?.closest('[role=group]')?.querySelectorAll('a') ?? [])];
  const at = links.findIndex((link) => row?.contains(link));
  return links[at + 1] ?? links[at - 1];
}
