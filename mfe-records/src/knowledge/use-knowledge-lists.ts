import type {
  KnowledgeDocumentInfo,
  KnowledgeDocumentPage,
  KnowledgePair,
  KnowledgePairPage,
  KnowledgeSummary,
  UnansweredPage,
  UnansweredQuestion,
} from 'api/contract/knowledge';
import type { HostServices, Language } from 'host/contract';
import { pause } from 'host/ui/queries.ts';
import { useCallback, useRef, useState } from 'react';
import { type ListPage, type ShownList, usePagedList } from './use-paged-list.ts';
import type { Part } from './view.ts';

/** A list that can be searched. `query` is as typed, the list follows what was asked. */
export interface SearchedList<T> {
  list: ShownList<T>;
  query: string;
  setQuery(query: string): void;
}

interface Options {
  services: HostServices;
  /** Of the reader: the handbook of this language comes first, and failures are described in it. */
  language: Language;
  summary: KnowledgeSummary;
  part: Part | null;
  /** One part at a time; else the inbox stands beside the others. */
  isNarrow: boolean;
}

const TYPING_MS = 250;

/** The three lists of /knowledge, each read when it is first shown. While documents are being indexed, they are polled. */
export function useKnowledgeLists(options: Options) {
  const { services, language, summary, part, isNarrow } = options;
  const { http } = services;
  const [documentQuery, setDocumentQuery] = useState('');
  const [pairQuery, setPairQuery] = useState('');
  const isShown = (one: Part) => part === null || part === one || (one === 'inbox' && !isNarrow);
  // What was shown once stays read: changing between the parts asks for nothing.
  const seen = useRef(new Set<Part>());
  for (const one of ['documents', 'pairs', 'inbox'] as const)
    if (isShown(one) && (one !== 'inbox' || summary.isEditor)) seen.current.add(one);
  const pollingInterval = usePollingInterval();

  /** A list of the API at /api/knowledge/`name`, with the words that are searched for. */
  const listOf = <Page extends { total: number; nextCursor: string | null }, Item>(
    name: Part | 'unanswered',
    query: string,
    itemsOf: (page: Page) => Item[],
  ) => ({
    key: ['knowledge', name, language, query.trim()],
    async read(cursor: string | null, limit: number, signal: AbortSignal): Promise<ListPage<Item>> {
      const q = query.trim();
      if (q && !cursor) await pause(TYPING_MS, signal);
      const params = { limit, ...(q && { q }), ...(cursor && { cursor }) };
      const { data } = await http.get<Page>(`/api/knowledge/${name}`, { params, signal });
      return { ...data, items: itemsOf(data) };
    },
  });
  const documents = usePagedList<KnowledgeDocumentInfo>({
    ...listOf('documents', documentQuery, (page: KnowledgeDocumentPage) => page.documents),
    isEnabled: seen.current.has('documents'),
    interval: pollingInterval,
  });
  const pairs = usePagedList<KnowledgePair>({
    ...listOf('pairs', pairQuery, (page: KnowledgePairPage) => page.pairs),
    isEnabled: seen.current.has('pairs'),
  });
  const inbox = usePagedList<UnansweredQuestion>({
    ...listOf('unanswered', '', (page: UnansweredPage) => page.questions),
    isEnabled: seen.current.has('inbox'),
  });

  return {
    documents: { list: documents, query: documentQuery, setQuery: setDocumentQuery },
    pairs: { list: pairs, query: pairQuery, setQuery: setPairQuery },
    inbox,
  };
}

const FIRST_POLL_MS = 1000;
const LAST_POLL_MS = 10_000;
const GROWTH = 1.4;

/** While documents are being indexed: a second at first, more with every read, from the beginning when others are being indexed. */
function usePollingInterval() {
  const polled = useRef({ ids: '', since: 0 });
  return useCallback((documents: KnowledgeDocumentInfo[], reads: number): number | false => {
    const indexing = documents.filter(({ status }) => status === 'indexing');
    if (indexing.length === 0) return false;
    const ids = indexing.map(({ id }) => id).join();
    if (ids !== polled.current.ids) polled.current = { ids, since: reads };
    return Math.min(FIRST_POLL_MS * GROWTH ** (reads - polled.current.since), LAST_POLL_MS);
  }, []);
}
