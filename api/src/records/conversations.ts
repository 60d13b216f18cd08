import type { Conversation, ConversationPage, RecordPage } from '../contract/records.ts';
import { notFound } from '../errors/errors.ts';
import { type PageRequest, readPage } from '../store/cursor.ts';
import { toObjectId } from '../store/object-id.ts';
import { type ConversationDocument, toConversation } from './conversation.ts';
import type { ConversationSummaries } from './conversation-summaries.ts';
import type { HiddenRecords } from './hidden-records.ts';
import { type RecordDocument, toDeskRecord } from './record.ts';
import type { RecordModels } from './record-models.ts';

export interface Conversations {
  /** Newest first by (updatedAt, id). */
  list(owner: string, request: PageRequest): Promise<ConversationPage>;
  /** Newest first by (createdAt, id). */
  records(owner: string, id: string, request: PageRequest): Promise<RecordPage>;
  rename(owner: string, id: string, title: string): Promise<Conversation>;
}

/** Replies of people that the owner has not seen. */
export interface UnreadReplies {
  /** Ids of the conversations with such a reply. */
  unreadIn(owner: string): Promise<ReadonlySet<string>>;
}

/** Every method throws notFound('conversation') if the id is not one of the owner's. */
export function createConversations(
  { conversations, records }: RecordModels,
  hidden: HiddenRecords,
  summaries: ConversationSummaries,
  replies: UnreadReplies,
): Conversations {
  return {
    async list(owner, request) {
      const { page, nextCursor } = await readPage<'updatedAt', ConversationDocument>(
        'conversations',
        'updatedAt',
        request,
        (after) => conversations.find({ owner, erasedBy: null, ...after }),
      );
      const unread = await replies.unreadIn(owner);
      const shown = (await summaries.adjustToVisible(owner, page)).map((document) => {
        const conversation = toConversation(document);
        return unread.has(conversation.id) ? { ...conversation, unreadReply: true } : conversation;
      });
      return { conversations: shown, nextCursor };
    },

    async records(owner, id, request) {
      const conversationId = toObjectId(id, 'conversation');
      if (!(await summaries.find(owner, conversationId))) throw notFound('conversation');
      const visible = await hidden.visible(owner);
      const { page, nextCursor } = await readPage<'createdAt', RecordDocument>(
        `records ${id}`,
        'createdAt',
        request,
        (after) => records.find({ conversationId, ...visible, ...after }),
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
