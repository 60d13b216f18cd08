/** Splits a list into slices of at most `size`. */
export function* inSlices<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

/** The part of a mongoose model that `slicesById` uses. */
interface Searchable<T> {
  find(
    condition: Record<string, unknown>,
    projection?: Record<string, 1>,
  ): { sort(order: { _id: 1 }): { limit(max: number): { lean(): PromiseLike<T[]> } } };
}

/** All documents that meet `condition`, in the order of their ids, in slices of at most `size`. */
export async function* slicesById<T extends { _id: unknown }>(
  documents: Searchable<T>,
  size: number,
  condition: Record<string, unknown> & { _id?: object } = {},
  projection: Record<string, 1> = {},
): AsyncGenerator<T[]> {
  for (let last: T | undefined; ; ) {
    const slice = await documents
      .find({ ...condition, ...(last && { _id: { ...condition._id, $gt: last._id } }) }, projection)
      .sort({ _id: 1 })
      .limit(size)
      .lean();
    last = slice.at(-1);
    if (!last) return;
    yield slice;
  }
}
