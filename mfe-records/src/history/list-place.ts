import type { DeskRecord } from 'api/contract/records';

/** Where a list stands: which record, and how far its row is from the list's upper edge, in px. */
export interface ListPlace extends Pick<DeskRecord, 'id' | 'createdAt'> {
  distance: number;
}

/** The last place of a list, for the way back to it. As long-lived as its key, the page's services. */
const places = new WeakMap<object, { entry: string; place: ListPlace }>();

/** Remembers where the list stood at this entry of the browser's history. */
export function rememberPlace(page: object, entry: string, place: ListPlace): void {
  places.set(page, { entry, place });
}

export function placeAt(page: object, entry: string): ListPlace | null {
  const last = places.get(page);
  return last?.entry === entry ? last.place : null;
}
