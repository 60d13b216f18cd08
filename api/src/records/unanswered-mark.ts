import type { RecordDocument } from './record.ts';

/** The fields that decide whether an editor should see a question, or whether it is in the unanswered inbox already. */
type Facts = 'kind' | 'status' | 'source' | 'feedback' | 'answeredSince' | 'answeredByPerson' | 'erasedBy';
type Judged = Pick<RecordDocument, Facts>;

/**
 * Whether editors should see a record's question: nothing or only something related was found for it and no person has
 * answered it, or its answer was rated down; in both cases no editor has answered it since. Questions about files reveal
 * nothing about the knowledge base, and stopped or failed answers cannot be judged.
 */
export function isUnanswered(record: Judged): boolean {
  const { kind, status, source, feedback, answeredSince, answeredByPerson, erasedBy } = record;
  if (kind !== 'chat' || status !== 'done' || erasedBy || answeredSince) return false;
  return source === 'none' ? !answeredByPerson : feedback?.rating === -1;
}

/**
 * Must be written with every change of a record: marked records are checked and moved in or out of the inbox,
 * or counted for another reason, immediately or after a crash. `before` is undefined for a new record.
 */
export function inboxMark(
  changed: Judged & Pick<RecordDocument, 'inbox'>,
  before?: Pick<Judged, 'source'>,
): { inboxDue?: true } {
  const isThere = changed.inbox !== undefined && changed.inbox !== null;
  const hasOtherReason = before && (before.source === 'none') !== (changed.source === 'none');
  return isUnanswered(changed) === isThere && !(isThere && hasOtherReason) ? {} : { inboxDue: true };
}
