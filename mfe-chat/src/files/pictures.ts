import type { Http } from 'host/contract';

/** Pictures that are kept here at most. */
const KEPT = 40;

/** Private pictures by address, fetched with the session. The newest are kept, so that looking at one again does not fetch it again. */
export interface Pictures {
  /** Rejects as `http` does, and for an address outside the API: that is not loaded at all. */
  read(url: string): Promise<Blob>;
  /** This one is here already. */
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
