import type { ImportReply, RecordArchive } from 'api/contract/archives';
import type { Http } from 'host/contract';

/** Maximum number of records in one call, and its approximate size in UTF-16 units of JSON. */
const SLICE_RECORDS = 500;
const SLICE_UNITS = 2_000_000;

/** The content of an exported file; undefined for any other file. */
export function readArchive(text: string): RecordArchive | undefined {
  try {
    const data: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isArchive(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

function isArchive(data: unknown): data is RecordArchive {
  if (typeof data !== 'object' || data === null) return false;
  const { format, version, records, conversations } = data as Partial<RecordArchive>;
  return (
    format === 'consultation-desk-records' &&
    version === 1 &&
    Array.isArray(records) &&
    Array.isArray(conversations)
  );
}

/** Splits the archive into slices for one call each, with the conversations of their records. */
export function sliceArchive(archive: RecordArchive): RecordArchive[] {
  const byId = new Map(archive.conversations.map((conversation) => [conversation.id, conversation]));
  const slices: RecordArchive[] = [];
  let records: RecordArchive['records'] = [];
  let units = 0;
  const close = () => {
    if (records.length === 0) return;
    const ids = new Set(records.map(({ conversationId }) => conversationId));
    const conversations = [...ids].flatMap((id) => byId.get(id) ?? []);
    slices.push({ ...archive, conversations, records });
    records = [];
    units = 0;
  };
  for (const record of archive.records) {
    const size = JSON.stringify(record).length;
    if (records.length === SLICE_RECORDS || units + size > SLICE_UNITS) close();
    records.push(record);
    units += size;
  }
  close();
  return slices;
}

export interface ImportProgress extends Omit<ImportReply, 'renamed'> {
  /** Number of imported slices, and of the records in them. */
  slices: number;
  done: number;
}

export const NOTHING_IMPORTED: ImportProgress = { imported: 0, unchanged: 0, slices: 0, done: 0 };

/**
 * Sends the slices one after the other, starting at `progress`, and reports each that was imported. Rejects with the HttpFailure of the
 * first that fails; earlier slices stay imported, and continuing from there loses nothing.
 */
export async function importSlices(
  http: Http,
  slices: readonly RecordArchive[],
  progress: ImportProgress,
  { signal, onProgress }: { signal: AbortSignal; onProgress(progress: ImportProgress): void },
): Promise<ImportProgress> {
  let now = progress;
  for (const slice of slices.slice(progress.slices)) {
    const { data } = await http.post<ImportReply>('/api/import', slice, { signal });
    now = {
      imported: now.imported + data.imported,
      unchanged: now.unchanged + data.unchanged,
      slices: now.slices + 1,
      done: now.done + slice.records.length,
    };
    onProgress(now);
  }
  return now;
}
