import type { KnowledgeArchive, KnowledgeImportReply } from 'api/contract/knowledge';
import type { Http } from 'host/contract';

/** The content of an exported file; undefined for any other file. */
export function readKnowledge(text: string): KnowledgeArchive | undefined {
  try {
    const data: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isKnowledge(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

function isKnowledge(data: unknown): data is KnowledgeArchive {
  if (typeof data !== 'object' || data === null) return false;
  const { format, version, documents, pairs } = data as Partial<KnowledgeArchive>;
  return (
    format === 'consultation-desk-knowledge' &&
    version === 1 &&
    Array.isArray(documents) &&
    Array.isArray(pairs)
  );
}

/** Approximate size of one call in UTF-16 units of JSON; a longer document is sent alone. */
const SLICE_UNITS = 2_000_000;
const SLICE_ITEMS = 200;

/** Splits the archive into slices for one call each, pairs first: they are small and used first. */
export function sliceKnowledge(archive: KnowledgeArchive): KnowledgeArchive[] {
  const slices: KnowledgeArchive[] = [];
  let slice: KnowledgeArchive = { ...archive, documents: [], pairs: [] };
  let units = 0;
  const close = () => {
    if (countOf(slice) > 0) slices.push(slice);
    slice = { ...archive, documents: [], pairs: [] };
    units = 0;
  };
  const add = (item: object, put: () => void) => {
    const size = JSON.stringify(item).length;
    if (countOf(slice) === SLICE_ITEMS || units + size > SLICE_UNITS) close();
    put();
    units += size;
  };
  for (const pair of archive.pairs) add(pair, () => slice.pairs.push(pair));
  for (const document of archive.documents) add(document, () => slice.documents.push(document));
  close();
  return slices;
}

export function countOf({ documents, pairs }: KnowledgeArchive): number {
  return documents.length + pairs.length;
}

export interface KnowledgeProgress extends KnowledgeImportReply {
  /** Number of imported slices, and of the items in them. */
  slices: number;
  done: number;
}

export const NOTHING_IN: KnowledgeProgress = { documents: 0, pairs: 0, unchanged: 0, slices: 0, done: 0 };

/**
 * Sends the slices one after the other, starting at `progress`, and reports each that was imported. Rejects with the HttpFailure of the
 * first that fails; continuing from there loses and duplicates nothing.
 */
export async function importKnowledge(
  http: Http,
  slices: readonly KnowledgeArchive[],
  progress: KnowledgeProgress,
  { signal, onProgress }: { signal: AbortSignal; onProgress(progress: KnowledgeProgress): void },
): Promise<void> {
  let now = progress;
  for (const slice of slices.slice(progress.slices)) {
    const { data } = await http.post<KnowledgeImportReply>('/api/knowledge/import', slice, { signal });
    now = {
      documents: now.documents + data.documents,
      pairs: now.pairs + data.pairs,
      unchanged: now.unchanged + data.unchanged,
      slices: now.slices + 1,
      done: now.done + countOf(slice),
    };
    onProgress(now);
  }
}
