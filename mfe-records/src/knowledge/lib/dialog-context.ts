import type { CollectionList } from 'api/contract/collections';
import type { HttpFailure } from 'host/contract';

/** The properties that every dialog of /knowledge receives. */
export interface DialogContext {
  list: CollectionList;
  /** Id of the collection for new documents and pairs; '' for the first one. */
  collection: string;
  onClose(): void;
  onList(list: CollectionList): void;
  /** Called after a change; then the lists are loaded again. */
  onChanged(): void;
  onDeleted(id: string): void;
  /** Called if an action failed because of another change or a missing permission. */
  onRefused(failure: HttpFailure): void;
}
