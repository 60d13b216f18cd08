/** LRU cache limited by bytes (or the unit of `sizeOf`). */
export interface KeptBytes<T> {
  get(name: string): T | undefined;
  keep(name: string, value: T): void;
  clear(): void;
}

export function createKeptBytes<T>(most: number, sizeOf: (value: T) => number): KeptBytes<T> {
  const kept = new Map<string, T>();
  let bytes = 0;

  const forget = (name: string) => {
    const value = kept.get(name);
    if (value === undefined) return;
    kept.delete(name);
    bytes -= sizeOf(value);
  };

  return {
    get(name) {
      const value = kept.get(name);
      if (value === undefined) return undefined;
      kept.delete(name);
      kept.set(name, value);
      return value;
    },
    keep(name, value) {
      forget(name);
      kept.set(name, value);
      bytes += sizeOf(value);
      for (const oldest of kept.keys()) {
        if (bytes <= most) break;
        forget(oldest);
      }
    },
    clear() {
      kept.clear();
      bytes = 0;
    },
  };
}
