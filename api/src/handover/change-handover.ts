import { ApiError } from '../errors/errors.ts';
import { databaseDate } from '../store/database-clock.ts';
import { unguessableId } from '../store/object-id.ts';
import { retryConflicts } from '../store/retry-conflicts.ts';
import type { HandoverDocument, HandoverModel, StoredMessage } from './handover.ts';

/** Maximum number of messages, so that a handover of the longest messages fits into one document. */
const maxMessages = 200;
/** Maximum units of the latest message in lists. */
const excerptLength = 200;

/**
 * Changes a handover unless it was changed since `read`; then it is read and decided again. `decide` returns
 * the changes, or null for none.
 * @throws unavailable if concurrent writes continue, and the errors of `read` and `decide`.
 */
export function changeHandover(
  handovers: HandoverModel,
  read: () => Promise<HandoverDocument>,
  decide: (before: HandoverDocument) => Partial<HandoverDocument> | null,
): Promise<HandoverDocument> {
  return retryConflicts(async () => {
    const before = await read();
    const changes = decide(before);
    if (!changes) return before;
    const { _id, owner, revision } = before;
    const isClosed = changes.isOpen === false;
    return handovers
      .findOneAndUpdate(
        { _id, owner, revision, erasedBy: null },
        {
          $set: { updatedAt: databaseDate(), ...changes, ...(isClosed ? { closedAt: databaseDate() } : {}) },
          $inc: { revision: 1 },
          ...(isClosed ? { $unset: { openIn: 1 } } : {}),
        },
        { returnDocument: 'after' },
      )
      .lean();
  });
}

/**
 * The changes that add a message; null if it was added already. @throws handover_closed, handover_full,
 * conflict if its `clientId` was used for another text.
 */
export function withMessage(
  before: HandoverDocument,
  { from, name, text, clientId }: Pick<StoredMessage, 'from' | 'name' | 'text' | 'clientId'>,
): Partial<HandoverDocument> | null {
  const same = before.messages.find((one) => one.from === from && one.clientId === clientId);
  if (same && same.text !== text) throw new ApiError('conflict_client_id');
  if (same) return null;
  if (!before.isOpen) throw new ApiError('handover_closed');
  if (before.messages.length >= maxMessages) throw new ApiError('handover_full', { count: maxMessages });
  const createdAt = databaseDate();
  const id = unguessableId().toHexString();
  return {
    messages: [...before.messages, { id, from, name, text, createdAt, clientId }],
    lastMessage: excerptOf(text),
    isAnswered: from === 'agent',
    waitingSince: from === 'agent' || before.isAnswered ? createdAt : before.waitingSince,
    updatedAt: createdAt,
  };
}

export function excerptOf(text: string): string {
  return text.slice(0, excerptLength).toWellFormed();
}
