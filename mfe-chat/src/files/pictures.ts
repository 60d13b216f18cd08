import type { Http } from 'host/contract';

/** Maximum number of cached pictures. */
const MAX_CACHED = 40;

/** Private pictures by address, loaded with the session's token. The newest are cached. */
export interface Pictures {
  /** Rejects like `http`, and for any address outside the API, which is not loaded. */
  read(url: string): Promise<Blob>;
  /** Adds a picture to the cache. */
  add(url: string, picture: Blob): void;
  clear(): void;
}

export function createPictures(http: Pick<Http, 'get'>): Pictures {
  const cache = new Map<string, Promise<Blob>>();
  const put = (url: string, picture: Promise<Blob>) => {
    cache.delete(url);
    cache.set(url, picture);
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
    return picture;
  };
  const fetchPicture = async (url: string) => {
    if (!url.startsWith('/api/')) throw new Error(`expected a picture of the API, got "${url}"`);
    const { data } = await http.get<Blob>(url, { responseType: 'blob' });
    return data;
  };

  return {
    read(url) {
      const cached = cache.get(url);
      if (cached) return put(url, cached);
      const loading = put(url, fetchPicture(url));
      loading.catch(() => cache.get(url) === loading && cache.delete(url));
      return loading;
    },
    add: (url, picture) => void put(url, Promise.resolve(picture)),
    clear: () => cache.clear(),
  };
}
