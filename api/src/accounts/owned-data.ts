/** A collection whose documents have an `owner`. */
export interface OwnedCollection {
  updateMany(filter: { owner: string }, update: { $set: { owner: string } }): PromiseLike<unknown>;
  deleteMany(filter: { owner: string }): PromiseLike<unknown>;
}

/** Domains above implement it, to hand over or delete an owner's data. Both calls can be repeated. */
export interface OwnedData {
  transfer(from: string, to: string): Promise<void>;
  remove(owner: string): Promise<void>;
}
