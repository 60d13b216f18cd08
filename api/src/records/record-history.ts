import type { Turn } from '../answers/answerer.ts';
import type { HiddenRecords } from './hidden-records.ts';
import type { RecordDocument, RecordModel } from './record.ts';

/** Maximum number of turns of the conversation passed to an answerer. */
const historyTurns = 10;

/** The turns of the record's conversation before it, oldest first. */
export async function historyBefore(
  { records, hidden }: { records: RecordModel; hidden: HiddenRecords },
  { owner, conversationId, createdAt, _id }: RecordDocument,
): Promise<Turn[]> {
  const turns = await records
    .find(
      {
        conversationId,
        createdAt: { $lte: createdAt },
        _id: { $ne: _id },
        status: { $in: ['done', 'stopped'] },
        ...(await hidden.visible(owner)),
      },
      { question: 1, answer: 1, files: 1 },
    )
    .sort({ createdAt: -1, _id: -1 })
    .limit(historyTurns)
    .lean();
  return turns.reverse().map(({ question, answer, files = [] }) => ({
    question,
    answer,
    ...(files.length > 0 ? { fileIds: files.map(({ id }) => id) } : {}),
  }));
}
