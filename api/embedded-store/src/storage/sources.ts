/** Results on demand. The work of each pull is bounded. */
export interface Source<T> {
  /**
   * The next results, possibly none yet; undefined at the end.
   *
   * @param most how many the caller sends now: rows that are read in advance may change before they are sent. Default all.
   */
  pull(most?: number): T[] | undefined;
  /** Whether it is already known that nothing is left. */
  isOver?(): boolean;
}

export function mapped<A, B>(source: Source<A>, convert: (item: A) => B): Source<B> {
  return { pull: (most) => source.pull(most)?.map(convert), isOver: () => source.isOver?.() === true };
}

/** @param limit 0 for all */
export function limited<T>(source: Source<T>, limit: number): Source<T> {
  if (limit === 0) return source;
  let left = limit;
  return {
    isOver: () => left <= 0,
    pull(most = Number.POSITIVE_INFINITY) {
      if (left <= 0) return undefined;
      const items = source.pull(Math.min(left, most))?.slice(0, left);
      left -= items?.length ?? 0;
      return items;
    },
  };
}

/** Without the first `count` items. */
export function withoutFirst<T>(source: Source<T>, count: number): Source<T> {
  if (count === 0) return source;
  let left = count;
  return {
    isOver: () => source.isOver?.() === true,
    pull(most = Number.POSITIVE_INFINITY) {
      const items = source.pull(left + most);
      const kept = items?.slice(left);
      left -= Math.min(left, items?.length ?? 0);
      return kept;
    },
  };
}

export function sourceOf<T>(items: T[]): Source<T> {
  let done = false;
  return {
    isOver: () => done,
    pull() {
      if (done) return undefined;
      done = true;
      return items;
    },
  };
}
