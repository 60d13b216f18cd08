import type {
  KnowledgeDocumentInfo,
  KnowledgeDocumentPage,
  KnowledgePair,
  KnowledgePairPage,
  KnowledgeSummary,
  UnansweredPage,
  UnansweredQuestion,
} from 'api/contract';
import type { HostServices, Http, Language } from 'host/contract';
import { useCallback, useRef, useState } from 'react';
import type { ReadPage } from './paged-list.ts';
import { type ShownList, usePagedList } from './use-paged-list.ts';
import { usePolling } from './use-polling.ts';
import type { Part } from './view.ts';

/** A list that can be searched. `query` is as typed, the list follows what was asked. */
export interface SearchedList<T> {
  list: ShownList<T>;
  query: string;
  setQuery(query: string): void;
}

interface Options {
  services: HostServices;
  /** Of the reader: the handbook begins with it, and failures are told in it. */
  language: Language;
  generation: number;
  summary: KnowledgeSummary;
  part: Part | null;
  /** One part at a time; else the inbox stands beside the others. */
  isNarrow: boolean;
}

/** The three lists of /knowledge, each read when it is first shown. While a document is being indexed, documents are looked after. */
export function useKnowledgeLists(options: Options) {
  const { services, language, generation, summary, part, isNarrow } = options;
  const [documentQuery, setDocumentQuery] = useState('');
  const [pairQuery, setPairQuery] = useState('');
  const isShown = (one: Part) => part === null || part === one || (one === 'inbox' && !isNarrow);
  // What was shown once stays read: going to and fro between the parts asks for nothing.
  const seen = useRef(new Set<Part>());
  for (const one of ['documents', 'pairs', 'inbox'] as const)
    if (isShown(one) && (one !== 'inbox' || summary.isEditor)) seen.current.add(one);
  const keyOf = (one: Part, query = '') =>
    seen.current.has(one) ? `${one} ${language} ${query.trim()}` : null;

  const documents = usePagedList<KnowledgeDocumentInfo>(
    { key: keyOf('documents', documentQuery), generation },
    readDocuments(documentQuery.trim()),
    services,
  );
  const pairs = usePagedList<KnowledgePair>(
    { key: keyOf('pairs', pairQuery), generation },
    readPairs(pairQuery.trim()),
    services,
  );
  const inbox = usePagedList<UnansweredQuestion>(
    { key: keyOf('inbox'), generation },
    readUnanswered,
    services,
  );

  const indexing = documents.items.filter(({ status }) => status === 'indexing').map(({ id }) => id);
  usePolling(indexing.length > 0, indexing.join(), documents.refresh);

  const latest = useRef<{ refresh(): Promise<void> }[]>([]);
  latest.current = [documents, pairs, inbox];
  const refresh = useCallback(async () => {
    await Promise.all(latest.current.map((list) => list.refresh()));
  }, []);

  return {
    documents: { list: documents, query: documentQuery, setQuery: setDocumentQuery },
    pairs: { list: pairs, query: pairQuery, setQuery: setPairQuery },
    inbox,
    refresh,
  };
}

const TYPING_MS = 250;

const readDocuments =
  (q: string) =>
  (http: Http): ReadPage<KnowledgeDocumentInfo> =>
  async (cursor, limit, signal) => {
    await settled(q, cursor, signal);
    const params = { limit, ...(q && { q }), ...(cursor && { cursor }) };
    const { data } = await http.get<KnowledgeDocumentPage>('/api/knowledge/documents', { params, signal });
    return { ...data, items: data.documents };
  };

const readPairs =
  (q: string) =>
  (http: Http): ReadPage<KnowledgePair> =>
  async (cursor, limit, signal) => {
    await settled(q, cursor, signal);
    const params = { limit, ...(q && { q }), ...(cursor && { cursor }) };
    const { data } = await http.get<KnowledgePairPage>('/api/knowledge/pairs', { params, signal });
    return { ...data, items: data.pairs };
  };

const readUnanswered =
  (http: Http): ReadPage<UnansweredQuestion> =>
  async (cursor, limit, signal) => {
    const params = { limit, ...(cursor && { cursor }) };
    const { data } = await http.get<UnansweredPage>('/api/knowledge/unanswered', { params, signal });
    return { ...data, items: data.questions };
  };

/** More of the words may be typed: the first page of a search waits a little. */
function settled(q: string, cursor: string | null, signal: AbortSignal): Promise<void> | undefined {
  if (!q || cursor) return undefined;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, TYPING_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
