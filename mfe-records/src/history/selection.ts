import { grouped } from 'host/ui/grouped.ts';

/** The selection: single records, or all matching ones, loaded or not, with exceptions. */
export type Selection =
  | { kind: 'some'; ids: ReadonlySet<string> }
  | { kind: 'all'; except: ReadonlySet<string> };

export const NOTHING: Selection = { kind: 'some', ids: new Set() };
export const ALL: Selection = { kind: 'all', except: new Set() };

export function isTicked(selection: Selection, id: string): boolean {
  return selection.kind === 'all' ? !selection.except.has(id) : selection.ids.has(id);
}

/** `found` is the number of all matching records. */
export function countTicked(selection: Selection, found: number): number {
  return selection.kind === 'all' ? Math.max(0, found - selection.except.size) : selection.ids.size;
}

/** The displayed number of selected records: '12', or '10,000+' if more than the counted records match. */
export function tickedText(
  selection: Selection,
  { total, totalIsMore }: { total: number; totalIsMore: boolean },
): string {
  const count = grouped(countTicked(selection, total));
  return selection.kind === 'all' && totalIsMore ? `${count}+` : count;
}

/** Selects or deselects `ids`, whatever their previous state. */
export function tick(selection: Selection, ids: readonly string[], isOn: boolean): Selection {
  const isAll = selection.kind === 'all';
  const listed = new Set(isAll ? selection.except : selection.ids);
  for (const id of ids) {
    if (isOn === isAll) listed.delete(id);
    else listed.add(id);
  }
  return isAll ? { kind: 'all', except: listed } : { kind: 'some', ids: listed };
}

/** The ids from one record to another, in either direction; only the second if the first is not in the list. */
export function idsBetween(list: readonly { id: string }[], from: string, to: string): string[] {
  const first = list.findIndex(({ id }) => id === from);
  const last = list.findIndex(({ id }) => id === to);
  if (first < 0 || last < 0) return [to];
  return list.slice(Math.min(first, last), Math.max(first, last) + 1).map(({ id }) => id);
}
