/** A collection whose documents have an `owner`. */
export interface OwnedCollection {
  updateMany(filter: { owner: string }, update: { $set: { owner: string } }): PromiseLike<unknown>;
  deleteMany(filter: { owner: string }): PromiseLike<unknown>;
}

/**
 * All data of an owner: the domains above implement it, so that accounts can hand it over or delete it. Both calls can be repeated after an
 * interruption.
 */
export interface OwnedData {
  transfer(from: string, to: string): Promise<void>;
  remove(owner: string): Promise<void>;
}
