import type { Http } from 'host/contract';

const MAX_CACHED = 40;

export type Pictures = ReturnType<typeof createPictures>;

/** Private pictures by address, loaded with the session's token. The newest are cached. */
export function createPictures(http: Pick<Http, 'get'>) {
  const cache = new Map<string, Promise<Blob>>();
  let loads = new AbortController();
  const put = (url: string, picture: Promise<Blob>) => {
    cache.delete(url);
    cache.set(url, picture);
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
    return picture;
  };
  const fetchPicture = async (url: string) => {
    if (!url.startsWith('/api/')) throw new Error(`expected a picture of the API, got "${url}"`);
    const { data } = await http.get<Blob>(url, { responseType: 'blob', signal: loads.signal });
    return data;
  };

  return {
    /** Rejects like `http`, and for any address outside the API, which is not loaded. */
    read(url: string): Promise<Blob> {
      const cached = cache.get(url);
      if (cached) return put(url, cached);
      const loading = put(url, fetchPicture(url));
      loading.catch(() => cache.get(url) === loading && cache.delete(url));
      return loading;
    },
    /** Adds a picture to the cache. */
    add: (url: string, picture: Blob): void => void put(url, Promise.resolve(picture)),
    /** Empties the cache and cancels what is being loaded. */
    clear(): void {
      cache.clear();
      loads.abort();
      loads = new AbortController();
    },
  };
}
