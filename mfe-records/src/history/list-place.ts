import type { DeskRecord } from 'api/contract/records';

/** A scroll position: a record, and the distance of its row from the upper edge of the list in px. */
export interface ListPlace extends Pick<DeskRecord, 'id' | 'createdAt'> {
  distance: number;
}

/** The last scroll position of each list, to return to it. Lives as long as its key, the page's services. */
const places = new WeakMap<object, { entry: string; place: ListPlace }>();

/** Stores the scroll position of the list at this history entry of the browser. */
export function rememberPlace(page: object, entry: string, place: ListPlace): void {
  places.set(page, { entry, place });
}

export function placeAt(page: object, entry: string): ListPlace | null {
  const last = places.get(page);
  return last?.entry === entry ? last.place : null;
}
