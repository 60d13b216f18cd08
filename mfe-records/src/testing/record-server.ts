import type { DeskRecord, RecordPage } from 'api/contract';
import type { Call } from 'host/stand-ins';

/** Answers GET /api/records as the API does: pages behind a cursor, at most `limit` (20) each. */
export function serveRecords(records: DeskRecord[]): (call: Call) => RecordPage {
  return ({ params }) => {
    const limit = Number(params.limit ?? 20);
    const from = Number(params.cursor ?? 0);
    const next = from + limit;
    return { records: records.slice(from, next), nextCursor: next < records.length ? String(next) : null };
  };
}
