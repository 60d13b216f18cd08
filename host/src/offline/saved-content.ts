import { deskAddress } from 'host/ui/desk-address.ts';
import type { Observable } from 'rxjs';
import type { SavedContent } from '../contract.ts';

/** A cache beside those of the service worker, which removes all of them when operations switch it off. */
const CACHE = `desk-saved${deskAddress('')}`;
const FOLDER = deskAddress('/chatbot/saved/');
const LIFETIME_MS = 7 * 86_400_000;

interface Options {
  /** False if pages cannot open while the server cannot be reached; then nothing is saved. */
  isOn: boolean;
  /** The current owner: `user:<name>` or 'guest'. */
  owner(): string;
  /** Emits when `owner` changes, not initially. */
  owner$: Observable<string>;
}

/**
 * Stores what screens show while the server cannot be reached, by owner and remote. When the owner changes (sign-out, end of the session,
 * sign-in), the data of the previous one is removed.
 */
export function createSavedContent({ isOn, owner, owner$ }: Options) {
  const folderOf = (ownerId: string) => `${FOLDER}${encodeURIComponent(ownerId)}/`;

  /** undefined if the browser has no such storage, blocks it, or it is full. */
  const use = async <T>(work: (cache: Cache) => Promise<T>): Promise<T | undefined> => {
    if (!isOn) return undefined;
    try {
      return await work(await caches.open(CACHE));
    } catch {
      return undefined;
    }
  };
  const readAt = async (cache: Cache, address: string) => {
    const stored = await cache.match(address);
    return stored && ((await stored.json()) as { value: unknown; savedAt: number });
  };

  /** Removes everything that is older than 7 days or belongs to another owner. */
  const sweep = async () => {
    await use(async (cache) => {
      for (const { url } of await cache.keys()) {
        const isOwn = new URL(url).pathname.startsWith(folderOf(owner()));
        const { savedAt = 0 } = (isOwn && (await readAt(cache, url))) || {};
        if (Date.now() - savedAt > LIFETIME_MS) await cache.delete(url);
      }
    });
  };
  owner$.subscribe(() => void sweep());

  return {
    sweep,
    /** The saved content of one remote, as defined by the contract. */
    of(remote: string): SavedContent {
      const addressOf = (key: string) => `${folderOf(owner())}${remote}/${encodeURIComponent(key)}`;
      return {
        read: <T>(key: string) =>
          use(
            async (cache) =>
              (await readAt(cache, addressOf(key))) as { value: T; savedAt: number } | undefined,
          ),
        async save(key, value) {
          const address = addressOf(key);
          await use<unknown>((cache) =>
            value === undefined
              ? cache.delete(address)
              : cache.put(address, new Response(JSON.stringify({ value, savedAt: Date.now() }))),
          );
          // The owner may have left meanwhile.
          if (address !== addressOf(key)) await sweep();
        },
      };
    },
  };
}
