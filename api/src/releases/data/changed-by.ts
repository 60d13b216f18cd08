import { AsyncLocalStorage } from 'node:async_hooks';

/** The tokens on whose behalf a change is made, as recorded in the history. */
export interface ChangedBy {
  /** Name of the token that requested it. */
  token: string;
  /** Name of the second token, if the change had to be approved. */
  approvedBy?: string;
  /** Id of the pending change. */
  change?: string;
}

const storage = new AsyncLocalStorage<ChangedBy>();

/**
 * Records all moves that `work` makes as made by these tokens. Kept beside the calls instead of in their arguments,
 * so that no route can forget it or accept it from a client.
 */
export function recordAs<T>(by: ChangedBy, work: () => Promise<T>): Promise<T> {
  return storage.run(by, work);
}

/** The tokens of the current change; empty for automatic moves. */
export function changedBy(): Partial<ChangedBy> {
  return storage.getStore() ?? {};
}
