import type { RecordDocument } from './record.ts';

/** What decides whether a record is in the unanswered inbox. */
type Judged = Pick<
  RecordDocument,
  'kind' | 'status' | 'source' | 'feedback' | 'answeredSince' | 'erasedBy' | 'inbox' | 'inboxDue'
>;

/**
 * Whether editors are to see a record's question: nothing was found for it, or its answer was rated down, and none has answered it since.
 * What was asked about a file says nothing about the knowledge base; what was stopped or failed was no answer to judge.
 */
export function isUnanswered(record: Omit<Judged, 'inbox' | 'inboxDue'>): boolean {
  const { kind, status, source, feedback, answeredSince, erasedBy } = record;
  if (kind !== 'chat' || status !== 'done' || erasedBy || answeredSince) return false;
  return source === 'none' || feedback?.rating === -1;
}

/** To be written along with whatever changes a record: the inbox is put right by what carries the mark, at once or after a crash. */
export function inboxMark(changed: Judged): { inboxDue?: true } {
  const isThere = changed.inbox !== undefined && changed.inbox !== null;
  return isUnanswered(changed) === isThere ? {} : { inboxDue: true };
}
