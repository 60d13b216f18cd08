import type { CollectionList } from 'api/contract/collections';
import type { HttpFailure } from 'host/contract';

/** What all dialogs of /knowledge get, whether they use it or not. */
export interface DialogContext {
  list: CollectionList;
  /** Id of the collection of what is new; '' for the first one. */
  collection: string;
  onClose(): void;
  onList(list: CollectionList): void;
  /** Something was changed: what is shown is read again. */
  onChanged(): void;
  onDeleted(id: string): void;
  /** It was not possible because of another change, or for lack of permission. */
  onRefused(failure: HttpFailure): void;
}
