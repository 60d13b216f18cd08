import type { Turn } from '../answers/answerer.ts';
import type { RecordCondition } from './hidden-records.ts';
import { firstVersionOf, type RecordDocument, type RecordModel } from './record.ts';
import type { ShownTo } from './withdrawn-answers.ts';

/** Maximum number of turns of the conversation passed to an answerer. */
const historyTurns = 10;

/** Maximum number of records read if questions have several versions. */
const versionsRead = 40;
type Earlier = Omit<RecordDocument, 'reasoning'>;

/**
 * The turns of the record's conversation before it, oldest first. A question with several versions is one turn:
 * its newest answered version, at the place of the first. `visible` is the condition of the owner's visible records.
 */
export async function historyBefore(
  records: RecordModel,
  { visible, shownTo }: { visible: RecordCondition; shownTo: ShownTo },
  record: RecordDocument,
): Promise<Turn[]> {
  if (record.isAlone) return [];
  const { conversationId, _id, owner } = record;
  const place = placeOf(record);
  const status = { $in: ['done', 'stopped'] };
  const answered: RecordCondition = { conversationId, _id: { $ne: _id }, status, ...visible };
  const read = (limit: number, condition: RecordCondition) =>
    records
      .find({ ...answered, ...condition }, { reasoning: 0 })
      .sort({ createdAt: -1, _id: -1 })
      .limit(limit)
      .lean<Earlier[]>();
  const earlier = { createdAt: { $lte: place } };
  const latest = await read(historyTurns, earlier);
  const before = latest.some((one) => one.versionOf) ? await read(versionsRead, earlier) : latest;
  // Later versions of earlier questions, if this one is itself a version.
  const later = record.versionOf
    ? await read(versionsRead, { 'versionOf.createdAt': { $lt: place }, createdAt: { $gt: place } })
    : [];
  const newest = new Map<string, Earlier>();
  for (const one of [...later, ...before]) {
    const first = firstVersionOf(one).toHexString();
    if (!newest.has(first)) newest.set(first, one);
  }
  newest.delete(firstVersionOf(record).toHexString());
  const shown = await shownTo(owner, [...newest.values()]);
  return shown
    .reverse()
    .sort((one, other) => placeOf(one).getTime() - placeOf(other).getTime())
    .slice(-historyTurns)
    .map(({ question, answer, files = [] }) => {
      const fileIds = files.map(({ id }) => id);
      return { question, answer, ...(fileIds.length > 0 ? { fileIds } : {}) };
    });
}

/** When its question was first asked. */
function placeOf({ createdAt, versionOf }: Pick<RecordDocument, 'createdAt' | 'versionOf'>): Date {
  return versionOf?.createdAt ?? createdAt;
}
