/** String storage that survives a reload if the browser allows it, and otherwise lasts as long as the page. */
export interface KeyValueStore {
  read(key: string): string | undefined;
  write(key: string, text: string): void;
  remove(key: string): void;
  keys(): string[];
}

/**
 * Opens localStorage by `open`. If it is blocked (privacy settings), full or broken, values are stored in memory, so that visitors can
 * still sign in and write drafts.
 */
export function createKeyValueStore(open: () => Storage): KeyValueStore {
  const memory = new Map<string, string>();
  const tryOn = <T>(use: (storage: Storage) => T, otherwise: T): T => {
    try {
      return use(open());
    } catch {
      return otherwise;
    }
  };

  return {
    read: (key) => memory.get(key) ?? tryOn((storage) => storage.getItem(key) ?? undefined, undefined),
    write(key, text) {
      const isStored = tryOn((storage) => {
        storage.setItem(key, text);
        return true;
      }, false);
      if (isStored) memory.delete(key);
      else memory.set(key, text);
    },
    remove(key) {
      memory.delete(key);
      tryOn((storage) => storage.removeItem(key), undefined);
    },
    keys: () => [...new Set([...memory.keys(), ...tryOn((storage) => Object.keys(storage), [])])],
  };
}

/** Parses JSON; undefined if it is invalid, which another version or the visitor may have caused. */
export function readJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
