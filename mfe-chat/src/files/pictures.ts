import type { Http } from 'host/contract';

/** Maximum number of cached pictures. */
const KEPT = 40;

/** Private pictures by address, loaded with the session's token. The newest are cached. */
export interface Pictures {
  /** Rejects like `http`, and for any address outside the API, which is not loaded. */
  read(url: string): Promise<Blob>;
  /** Adds a picture to the cache. */
  keep(url: string, picture: Blob): void;
  clear(): void;
}

export function createPictures(http: Pick<Http, 'get'>): Pictures {
  const kept = new Map<string, Promise<Blob>>();
  const put = (url: string, picture: Promise<Blob>) => {
    kept.delete(url);
    kept.set(url, picture);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return picture;
  };
  const fetchOne = async (url: string) => {
    if (!url.startsWith('/api/')) throw new Error(`expected a picture of the API, got "${url}"`);
    const { data } = await http.get<Blob>(url, { responseType: 'blob' });
    return data;
  };

  return {
    read(url) {
      const there = kept.get(url);
      if (there) return put(url, there);
      const coming = put(url, fetchOne(url));
      coming.catch(() => kept.get(url) === coming && kept.delete(url));
      return coming;
    },
    keep: (url, picture) => void put(url, Promise.resolve(picture)),
    clear: () => kept.clear(),
  };
}
