/** What is ticked: single records, or everything that is found, read or not, but for a few. */
export type Selection =
  | { kind: 'some'; ids: ReadonlySet<string> }
  | { kind: 'all'; except: ReadonlySet<string> };

export const NOTHING: Selection = { kind: 'some', ids: new Set() };
export const ALL: Selection = { kind: 'all', except: new Set() };

export function isTicked(selection: Selection, id: string): boolean {
  return selection.kind === 'all' ? !selection.except.has(id) : selection.ids.has(id);
}

/** `found` is how many there are in all. */
export function countTicked(selection: Selection, found: number): number {
  return selection.kind === 'all' ? Math.max(0, found - selection.except.size) : selection.ids.size;
}

/** `ids` ticked or not, whatever they were. */
export function tick(selection: Selection, ids: readonly string[], isOn: boolean): Selection {
  const isAll = selection.kind === 'all';
  const kept = new Set(isAll ? selection.except : selection.ids);
  for (const id of ids) {
    if (isOn === isAll) kept.delete(id);
    else kept.add(id);
  }
  return isAll ? { kind: 'all', except: kept } : { kind: 'some', ids: kept };
}

/** The ids from one record to another, in either direction; both alone when one of them is not in the list. */
export function idsBetween(list: readonly { id: string }[], from: string, to: string): string[] {
  const first = list.findIndex(({ id }) => id === from);
  const last = list.findIndex(({ id }) => id === to);
  if (first < 0 || last < 0) return [to];
  return list.slice(Math.min(first, last), Math.max(first, last) + 1).map(({ id }) => id);
}
