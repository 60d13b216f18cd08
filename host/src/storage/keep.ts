/** A drawer of strings that survives a reload where the browser lets it, and the page's life where it does not. */
export interface Keep {
  read(key: string): string | undefined;
  write(key: string, text: string): void;
  remove(key: string): void;
  keys(): string[];
}

/**
 * Opens localStorage behind `open`. Where it is shut (privacy settings), full or broken, what is written stays in memory, so a
 * visitor can sign in and write a draft all the same.
 */
export function createKeep(open: () => Storage): Keep {
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
      const isKept = tryOn((storage) => {
        storage.setItem(key, text);
        return true;
      }, false);
      if (isKept) memory.delete(key);
      else memory.set(key, text);
    },
    remove(key) {
      memory.delete(key);
      tryOn((storage) => storage.removeItem(key), undefined);
    },
    keys: () => [...new Set([...memory.keys(), ...tryOn((storage) => Object.keys(storage), [])])],
  };
}

/** What `text` says as JSON, or undefined where it says nothing: another version or another hand may have written it. */
export function readJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
