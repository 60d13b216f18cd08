import type { Passage } from 'api/contract/answers';
import type { SourceDocument, SourceText } from 'api/contract/documents';
import type { Http } from 'host/contract';
import { rangeHeaders, sourceBytes } from 'host/ui/source-viewer/source-bytes.ts';
import type { SourceReader } from 'host/ui/source-viewer/source-reader.ts';

/** Reads documents from the API. */
export function createSourceReader(http: Http): SourceReader {
  const get = async <T>(url: string, signal?: AbortSignal, options = {}) =>
    (await http.get<T>(url, { ...(signal && { signal }), ...options })).data;
  const of = (id: string) => `/api/documents/${encodeURIComponent(id)}`;
  return {
    passage: (href, signal) => get<Passage>(href, signal),
    document: (id, signal) => get<SourceDocument>(of(id), signal),
    part: (id, at, signal) => get<SourceText>(`${of(id)}/text`, signal, { params: { at } }),
    file: (id, signal) => get<Blob>(`${of(id)}/file`, signal, { responseType: 'blob' }),
    bytes: async (id, start, end, signal) => {
      const headers = rangeHeaders(start, end);
      const response = await http.get<Blob>(`${of(id)}/file`, { signal, headers, responseType: 'blob' });
      return sourceBytes(response, start, end);
    },
  };
}
