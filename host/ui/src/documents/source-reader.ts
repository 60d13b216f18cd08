import type { Place } from '../cited-place.ts';
import type { Quote } from '../find-quote.ts';
import type { ReadingNotice } from '../reading-notices/notice-texts.ts';

export type SourcePlace = Place;

/** A part of a document that answers cite. */
export interface SourcePassage {
  documentId: string;
  title: string;
  text: string;
  start: number;
  /** Heading path, for display. */
  place: string;
  columns?: string;
  at?: SourcePlace;
}

export interface SourceDocument {
  title: string;
  name: string;
  type: string;
  hasFile: boolean;
  /** What could not be read from the file; missing if everything could be read. */
  notices?: ReadingNotice[];
}

/** A part of a document's text; `start` and `end` are UTF-16 positions in the whole text of `length` units. */
export interface SourcePart {
  start: number;
  end: number;
  text: string;
  length: number;
  places: ({ start: number } & SourcePlace)[];
}

/** Why a request failed. `status` is 404 for documents and passages that no longer exist. */
export interface SourceFailure extends Error {
  status?: number;
}

export type SourceReader = ReturnType<typeof createSourceReader>;

/** A part of a file of `size` bytes. */
export interface SourceBytes {
  bytes: Uint8Array<ArrayBuffer>;
  size: number;
  /** Changes with the content of the file. */
  version: string;
}

/** What is shown: a citation, a passage without a quote, or a whole document. */
export interface Source {
  title: string;
  quote?: Quote;
  /** Address of the passage. */
  href?: string;
  /** Id of the document, if there is no `href`. */
  documentId?: string;
}

/** What the reader needs of the host's HTTP client. */
interface Http {
  get<T>(
    url: string,
    config?: {
      signal?: AbortSignal;
      params?: object;
      headers?: Record<string, string>;
      responseType?: 'blob';
    },
  ): Promise<{ data: T; status: number; headers: object }>;
}

/** Reads documents from the API. All functions reject with a `SourceFailure`. */
export function createSourceReader(http: Http) {
  const get = async <T>(url: string, signal?: AbortSignal, options = {}) =>
    (await http.get<T>(url, { ...(signal && { signal }), ...options })).data;
  const of = (id: string) => `/api/documents/${encodeURIComponent(id)}`;
  return {
    passage: (href: string, signal: AbortSignal): Promise<SourcePassage> => get<SourcePassage>(href, signal),
    document: (id: string, signal: AbortSignal): Promise<SourceDocument> =>
      get<SourceDocument>(of(id), signal),
    /** The part that contains the unit `at`. */
    part: (id: string, at: number, signal: AbortSignal): Promise<SourcePart> =>
      get<SourcePart>(`${of(id)}/text`, signal, { params: { at } }),
    file: (id: string, signal?: AbortSignal): Promise<Blob> =>
      get<Blob>(`${of(id)}/file`, signal, { responseType: 'blob' }),
    /** The bytes `start`–`end` of the original file, without `end`. The whole file if the server does not send parts. */
    bytes: async (id: string, start: number, end: number, signal: AbortSignal): Promise<SourceBytes> => {
      const headers = rangeHeaders(start, end);
      const response = await http.get<Blob>(`${of(id)}/file`, { signal, headers, responseType: 'blob' });
      return sourceBytes(response, start, end);
    },
  };
}

/** Reads the first `length` bytes of a document's original file, and its other parts on demand. */
export async function readInParts(
  id: string,
  length: number,
  reader: Pick<SourceReader, 'bytes'>,
  signal: AbortSignal,
) {
  const first = await reader.bytes(id, 0, length, signal);
  return {
    first,
    /** The bytes `start`–`end`, without `end`. Rejects if the file was replaced since the first part was read. */
    async read(start: number, end: number): Promise<SourceBytes['bytes']> {
      const { bytes, size, version } = await reader.bytes(id, start, end, signal);
      if (size !== first.size || version !== first.version) throw new Error('the file was replaced');
      return bytes;
    },
  };
}

/** Request headers for the bytes `start`–`end`, without `end`. */
export function rangeHeaders(start: number, end: number): { Range: string } {
  return { Range: `bytes=${start}-${end - 1}` };
}

/** The bytes of a response, which are the whole file instead of those from `start` if the server or a proxy ignores ranges. */
export async function sourceBytes(
  { status, data, headers }: { status: number; data: Blob; headers: object },
  start: number,
  end: number,
): Promise<SourceBytes> {
  const { etag = '', 'content-range': range = '' } = headers as Record<string, string | undefined>;
  const all = new Uint8Array(await data.arrayBuffer());
  if (status !== 206)
    return { bytes: start === 0 ? all : all.slice(start, end), size: all.length, version: etag };
  return { bytes: all, size: Number(/\/(\d+)$/.exec(range)?.[1] ?? start + all.length), version: etag };
}
