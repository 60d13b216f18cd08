interface Options {
  /** Opens sessionStorage, which lasts as long as the tab. Not used by default. */
  openForTab?(): Storage;
  /** True for a value that must fit: if localStorage is full, other values of this product move to the storage of the tab. */
  isVital?(key: string): boolean;
}

/** Prefix of this product's keys. Only these entries may be moved; others belong to other applications of the origin. */
const OWN = 'desk/';

export type KeyValueStore = ReturnType<typeof createKeyValueStore>;

/**
 * String storage that survives a reload if the browser allows it, and otherwise lasts as long as the page.
 * Stores values in localStorage, opened by `open`; if it is blocked (privacy settings), full or broken, for the tab, and otherwise in memory, so that visitors
 * can still sign in and write drafts.
 */
export function createKeyValueStore(
  open: () => Storage,
  { openForTab = none, isVital = () => false }: Options = {},
) {
  const memory = new Map<string, string>();
  const tryOn = <T>(storage: () => Storage, use: (storage: Storage) => T, otherwise: T): T => {
    try {
      return use(storage());
    } catch {
      return otherwise;
    }
  };
  const places = [openForTab, open];
  const readFrom = (storage: () => Storage, key: string) =>
    tryOn(storage, (opened) => opened.getItem(key) ?? undefined, undefined);
  const put = (storage: () => Storage, key: string, text: string) =>
    tryOn(
      storage,
      (opened) => {
        opened.setItem(key, text);
        return true;
      },
      false,
    );
  const removeFrom = (storage: () => Storage, key: string) =>
    tryOn(storage, (opened) => opened.removeItem(key), undefined);

  const writeForTab = (key: string, text: string): boolean => {
    // Otherwise other tabs would read the older value.
    removeFrom(open, key);
    if (put(openForTab, key, text)) return true;
    memory.set(key, text);
    return false;
  };
  /** Moves entries to the tab, the largest first, until the value fits. */
  const makeRoom = (key: string, text: string): boolean => {
    const own = tryOn(open, (storage) => Object.keys(storage), [])
      .filter((other) => other.startsWith(OWN))
      .map((other) => [other, readFrom(open, other) ?? ''] as const)
      .sort(([, one], [, other]) => other.length - one.length);
    return own.some(([other, value]) => {
      writeForTab(other, value);
      return put(open, key, text);
    });
  };

  return {
    read: (key: string): string | undefined =>
      memory.get(key) ?? readFrom(openForTab, key) ?? readFrom(open, key),
    /** Returns whether the value survives a reload. */
    write(key: string, text: string): boolean {
      if (!put(open, key, text) && !(isVital(key) && makeRoom(key, text))) return writeForTab(key, text);
      memory.delete(key);
      removeFrom(openForTab, key);
      return true;
    },
    remove(key: string): void {
      memory.delete(key);
      for (const storage of places) removeFrom(storage, key);
    },
    keys: (): string[] => [
      ...new Set([
        ...memory.keys(),
        ...places.flatMap((storage) => tryOn(storage, (opened) => Object.keys(opened), [])),
      ]),
    ],
  };
}

function none(): never {
  throw new Error('there is no storage for the tab');
}

/** Parses JSON; undefined if it is invalid, because another version or the visitor may have changed it. */
export function readJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
