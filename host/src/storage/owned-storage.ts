import type { Observable } from 'rxjs';
import type { Storage } from '../contract.ts';
import { type KeyValueStore, readJson } from './key-value-store.ts';

export const GUEST = 'guest';

interface Options {
  keyValues: KeyValueStore;
  /** The current owner: `user:<name>` or 'guest'. */
  owner: () => string;
  /** Emits when `owner` changes, not initially. */
  owner$: Observable<string>;
}

/** Stores values under `desk/<owner>/<remote>/<key>`. The owner is encoded, so that no name can reach data of others. */
export function createOwnedStorage({ keyValues, owner, owner$ }: Options) {
  const keysOf = (ownerId: string) => keyValues.keys().filter((key) => key.startsWith(prefix(ownerId)));

  return {
    /** The storage of one remote, as defined by the contract. */
    of(remote: string): Storage {
      const at = (key: string) => `${prefix(owner())}${remote}/${key}`;
      return {
        get: <T>(key: string) => readJson(keyValues.read(at(key))) as T | undefined,
        set: (key, value) =>
          value === undefined ? keyValues.remove(at(key)) : keyValues.write(at(key), JSON.stringify(value)),
        remove: (key) => keyValues.remove(at(key)),
        owner$,
      };
    },
    /** Moves a guest's entries to `owner` at sign-in, so that drafts are kept. */
    adopt(ownerId: string): void {
      for (const key of keysOf(GUEST)) {
        const text = keyValues.read(key);
        if (text !== undefined && !isBlank(text))
          keyValues.write(prefix(ownerId) + key.slice(prefix(GUEST).length), text);
        keyValues.remove(key);
      }
    },
    /** Removes everything of `owner`. */
    clear: (ownerId: string): void => keysOf(ownerId).forEach(keyValues.remove),
  };
}

function prefix(owner: string): string {
  return `desk/${encodeURIComponent(owner)}/`;
}

/** An empty draft of the guest must not replace one of the owner. */
function isBlank(text: string): boolean {
  return ['""', 'null', '[]', '{}'].includes(text);
}
