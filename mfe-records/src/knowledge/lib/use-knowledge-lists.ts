import type {
  KnowledgeDocumentInfo,
  KnowledgeDocumentPage,
  KnowledgePair,
  KnowledgePairPage,
  KnowledgeSearch,
  KnowledgeSummary,
  UnansweredPage,
  UnansweredQuestion,
  UnansweredReason,
} from 'api/contract/knowledge';
import { pause } from 'host/ui/queries.ts';
import { useFormats } from 'host/ui/screen.tsx';
import { useCallback, useRef, useState } from 'react';
import { withParams } from '../../lib/address-params.ts';
import { useServices } from '../../lib/services.ts';
import { type ListPage, usePagedList } from '../../lib/use-paged-list.tsx';

interface Options {
  summary: KnowledgeSummary;
  /** The id of the only collection to list; '' for all. */
  collection: string;
  part: Part | null;
  /** Whether one part is shown at a time; otherwise the inbox is beside the others. */
  isNarrow: boolean;
}

const TYPING_MS = 250;

export type KnowledgeLists = ReturnType<typeof useKnowledgeLists>;

/** The three lists of /knowledge, each loaded when first shown, and polled while documents are being indexed. */
export function useKnowledgeLists(options: Options) {
  const { summary, collection, part, isNarrow } = options;
  const { http } = useServices();
  // The language of failure messages, and of the handbook that comes first.
  const { language } = useFormats();
  const [documentQuery, setDocumentQuery] = useState('');
  const [pairQuery, setPairQuery] = useState('');
  const [reason, setReason] = useState<UnansweredReason | ''>('');
  const isShown = (one: Part) => part === null || part === one || (one === 'inbox' && !isNarrow);
  // Lists shown once stay loaded when switching between parts.
  const seen = useRef(new Set<Part>());
  for (const one of ['documents', 'pairs', 'inbox'] as const)
    if (isShown(one) && (one !== 'inbox' || summary.unanswered !== null)) seen.current.add(one);
  const pollingInterval = usePollingInterval();

  /** A list of the API at /api/knowledge/`name`, with its search text. */
  const listOf = <Page extends { total: number; nextCursor: string | null }, Item>(
    name: Part | 'unanswered',
    query: string,
    itemsOf: (page: Page) => Item[],
    filter: { reason?: UnansweredReason; answerable?: '1'; collection?: string } = {},
  ) => ({
    key: ['knowledge', name, language, query.trim(), filter],
    async read(cursor: string | null, limit: number, signal: AbortSignal): Promise<ListPage<Item>> {
      const q = query.trim();
      if (q && !cursor) await pause(TYPING_MS, signal);
      const params = { limit, ...filter, ...(cursor && { cursor }) };
      const url = `/api/knowledge/${name}`;
      const { data } = q
        ? await http.post<Page>(`${url}/search`, { ...params, q } satisfies KnowledgeSearch, { signal })
        : await http.get<Page>(url, { params, signal });
      return { ...data, items: itemsOf(data) };
    },
  });
  const within = collection ? { collection } : {};
  const documents = usePagedList<KnowledgeDocumentInfo>({
    ...listOf('documents', documentQuery, (page: KnowledgeDocumentPage) => page.documents, within),
    isEnabled: seen.current.has('documents'),
    interval: pollingInterval,
  });
  const pairs = usePagedList<KnowledgePair>({
    ...listOf('pairs', pairQuery, (page: KnowledgePairPage) => page.pairs, within),
    isEnabled: seen.current.has('pairs'),
  });
  /** Number of questions that wait to be asked again, and of those that have an answer now. */
  const [again, setAgain] = useState({ askingAgain: 0, answerable: 0 });
  const [isAnswerable, setAnswerable] = useState(false);
  const questionsOf = ({ questions, askingAgain = 0, answerable = 0 }: UnansweredPage) => {
    setAgain((before) =>
      before.askingAgain === askingAgain && before.answerable === answerable
        ? before
        : { askingAgain, answerable },
    );
    return questions;
  };
  const filter = { ...(reason && { reason }), ...(isAnswerable && { answerable: '1' as const }) };
  const inbox = usePagedList<UnansweredQuestion>({
    ...listOf('unanswered', '', questionsOf, filter),
    isEnabled: seen.current.has('inbox'),
    interval: () => again.askingAgain > 0 && FIRST_POLL_MS,
  });

  return {
    /** `query` is the typed text; the list shows the results for it after a pause. */
    documents: { list: documents, query: documentQuery, setQuery: setDocumentQuery },
    pairs: { list: pairs, query: pairQuery, setQuery: setPairQuery },
    inbox: {
      list: inbox,
      /** '' shows questions of both reasons. */
      reason,
      setReason,
      again,
      /** Whether only questions that have an answer now are shown. */
      isAnswerable,
      setAnswerable,
    },
  };
}

const FIRST_POLL_MS = 1000;
const LAST_POLL_MS = 10_000;
const GROWTH = 1.4;

/** Polling interval while documents are being indexed: starts at one second, grows with every read, and starts over for other documents. */
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

/** The part of /knowledge that is shown alone. */
export type Part = 'documents' | 'pairs' | 'inbox' | 'golden' | 'synonyms';

const PARTS: readonly string[] = ['documents', 'pairs', 'inbox', 'golden', 'synonyms'] satisfies Part[];

export function isPart(text: string | null): text is Part {
  return text !== null && PARTS.includes(text);
}

/** The address of a part, or of the overview (null), without an open document. */
export function partAddress(params: URLSearchParams, part: Part | null): URLSearchParams {
  return withParams(params, { d: null, v: part });
}

/** The address of the same part with a document open (null: none). */
export function documentAddress(params: URLSearchParams, id: string | null): string {
  return `?${withParams(params, { d: id })}`;
}
