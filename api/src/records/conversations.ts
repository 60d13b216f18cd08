import type { Conversation, ConversationPage, RecordPage } from '../contract/records.ts';
import { notFound } from '../errors/errors.ts';
import { after, cutPage, readCursor, writeCursor } from '../store/cursor.ts';
import { toObjectId } from '../store/object-id.ts';
import { toConversation } from './conversation.ts';
import type { ConversationSummaries } from './conversation-summaries.ts';
import type { HiddenRecords } from './hidden-records.ts';
import { toDeskRecord } from './record.ts';
import type { RecordModels } from './record-models.ts';

/** Page of a list: at most `limit` items after `cursor`. */
export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

export interface Conversations {
  /** Newest first by (updatedAt, id). */
  list(owner: string, request: PageRequest): Promise<ConversationPage>;
  /** Newest first by (createdAt, id). */
  records(owner: string, id: string, request: PageRequest): Promise<RecordPage>;
  rename(owner: string, id: string, title: string): Promise<Conversation>;
}

/** Every method throws notFound('conversation') if the id is not one of the owner's. */
export function createConversations(
  { conversations, records }: RecordModels,
  hidden: HiddenRecords,
  summaries: ConversationSummaries,
): Conversations {
  return {
    async list(owner, { limit, cursor }) {
      const from = cursor === undefined ? {} : after('updatedAt', readCursor('conversations', cursor));
      const read = await conversations
        .find({ owner, erasedBy: null, ...from })
        .sort({ updatedAt: -1, _id: -1 })
        .limit(limit + 1)
        .lean();
      const { page, nextCursor } = cutPage(read, limit, (last) =>
        writeCursor('conversations', { at: last.updatedAt, id: last._id }),
      );
      return {
        conversations: (await summaries.adjustToVisible(owner, page)).map(toConversation),
        nextCursor,
      };
    },

    async records(owner, id, { limit, cursor }) {
      const conversationId = toObjectId(id, 'conversation');
      const list = `records ${id}`;
      const from = cursor === undefined ? {} : after('createdAt', readCursor(list, cursor));
      if (!(await summaries.find(owner, conversationId))) throw notFound('conversation');
      const read = await records
        .find({ owner, conversationId, erasedBy: null, ...from, ...(await hidden.notHidden(owner)) })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit + 1)
        .lean();
      const { page, nextCursor } = cutPage(read, limit, (last) =>
        writeCursor(list, { at: last.createdAt, id: last._id }),
      );
      return { records: page.map(toDeskRecord), nextCursor };
    },

    async rename(owner, id, title) {
      const there = await summaries.find(owner, toObjectId(id, 'conversation'));
      if (!there) throw notFound('conversation');
      const renamed = await conversations
        .findOneAndUpdate(
          { _id: there._id, owner, erasedBy: null },
          { $set: { title, titleFrom: null }, $inc: { revision: 1 } },
          { returnDocument: 'after' },
        )
        .lean();
      const [shown] = renamed ? await summaries.adjustToVisible(owner, [renamed]) : [];
      if (!shown) throw notFound('conversation');
      return toConversation(shown);
    },
  };
}
