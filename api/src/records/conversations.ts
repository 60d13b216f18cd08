import { z } from 'zod';
import type { Conversation, ConversationChange, ConversationPage, RecordPage } from '../contract/records.ts';
import { notFound } from '../errors/errors.ts';
import { decodeCursor, encodeCursor, type Page, type PageRequest, readPage } from '../store/cursor.ts';
import { toObjectId } from '../store/object-id.ts';
import {
  type ConversationDocument,
  type ConversationPlace,
  titleTerms,
  toConversation,
} from './conversation.ts';
import type { ConversationSummaries } from './conversation-summaries.ts';
import type { HiddenRecords } from './hidden-records.ts';
import { toDeskRecord } from './record.ts';
import type { RecordHandovers } from './record-handovers.ts';
import type { RecordModels } from './record-models.ts';
import { readWords } from './search/search-words.ts';

export type Conversations = ReturnType<typeof createConversations>;

const maxTitled = 5;

/** Every method throws notFound('conversation') if the id is not one of the owner's. */
export function createConversations(
  { conversations, records }: RecordModels,
  hidden: HiddenRecords,
  summaries: ConversationSummaries,
  replies: Pick<RecordHandovers, 'unreadIn'>,
) {
  /** Running deletions are read first: what one of them ends meanwhile is marked by then. */
  async function shown(owner: string, readPage: () => Promise<Page<ConversationDocument>>) {
    const notHidden = await hidden.notHidden(owner);
    const [{ page, nextCursor }, unread] = await Promise.all([readPage(), replies.unreadIn(owner)]);
    const visible = await summaries.adjustToVisible(owner, page, notHidden);
    const conversations = visible.map((document) => {
      const conversation = toConversation(document);
      return unread.has(conversation.id) ? { ...conversation, unreadReply: true } : conversation;
    });
    return { conversations, nextCursor };
  }

  function read(name: string, condition: object, request: PageRequest) {
    return readPage(conversations, 'updatedAt', name, request, { ...condition, erasedBy: null });
  }

  return {
    /** Those that are not archived: pinned ones first, each part newest first by (updatedAt, id). */
    async list(owner: string, request: PageRequest): Promise<ConversationPage> {
      const isFirst = request.cursor === undefined;
      const [page, archived] = await Promise.all([
        shown(owner, () => readListed(request, (name, at, part) => read(name, { owner, ...at }, part))),
        isFirst && conversations.exists({ owner, erasedBy: null, place: 'archived' }),
      ]);
      return { ...page, ...(archived ? { hasArchived: true } : {}) };
    },

    /** Archived ones, newest first. */
    archived: (owner: string, request: PageRequest) =>
      shown(owner, () => read('conversations archived', { owner, place: 'archived' }, request)),

    /** All, newest first. */
    all: (owner: string, request: PageRequest) =>
      shown(owner, () => read('conversations all', { owner }, request)),

    /** Newest first by (createdAt, id). */
    async records(owner: string, id: string, request: PageRequest): Promise<RecordPage> {
      const conversationId = toObjectId(id, 'conversation');
      const notHidden = await hidden.notHidden(owner);
      const condition = { conversationId, owner, erasedBy: null, ...notHidden };
      const [{ page, nextCursor }] = await Promise.all([
        readPage(records, 'createdAt', `records ${id}`, request, condition),
        summaries.get(owner, id, notHidden),
      ]);
      return { records: (await hidden.shownTo(owner, page)).map(toDeskRecord), nextCursor };
    },

    /** Those whose title, set by the owner, has all words of `text`; newest first, at most 5. */
    async titled(owner: string, text: string): Promise<Conversation[]> {
      const words = readWords(text);
      if (!words) return [];
      const found = await shown(owner, async () => {
        const page = await conversations
          .find({ owner, titleTerms: { $all: words.terms }, erasedBy: null })
          .sort({ updatedAt: -1, _id: -1 })
          .limit(maxTitled * 4)
          .lean<ConversationDocument[]>();
        const fitting = page.filter(({ title }) => words.matches({ question: title, answer: '' }));
        return { page: fitting.slice(0, maxTitled), nextCursor: null };
      });
      return found.conversations;
    },

    async change(owner: string, id: string, { title, pinned, archived }: ConversationChange) {
      const notHidden = await hidden.notHidden(owner);
      const there = await summaries.get(owner, id, notHidden);
      const renamed = title === undefined ? {} : { title, titleFrom: null, titleTerms: titleTerms(title) };
      const isMoved = pinned !== undefined || archived !== undefined;
      const moved = isMoved ? { place: placeAfter(there.place ?? null, { pinned, archived }) } : {};
      const changed = await conversations
        .findOneAndUpdate(
          { _id: there._id, owner, erasedBy: null },
          { $set: { ...renamed, ...moved }, $inc: { revision: 1 } },
          { returnDocument: 'after' },
        )
        .lean();
      const page = changed ? [changed] : [];
      const [one] = (await shown(owner, async () => ({ page, nextCursor: null }))).conversations;
      if (!one) throw notFound('conversation');
      return one;
    },
  };
}

function placeAfter(
  before: ConversationPlace | null,
  { pinned, archived }: { pinned: boolean | undefined; archived: boolean | undefined },
): ConversationPlace | null {
  if (pinned) return 'pinned';
  if (archived) return 'archived';
  const isLeft = before === 'pinned' ? pinned === false : archived === false;
  return isLeft ? null : before;
}

/** The parts of the list, in order. Conversations of earlier versions have no place. */
const parts = [{ place: 'pinned' }, { place: null }] as const;
type Part = (typeof parts)[number];

const list = 'conversations';
const PartIndex = z.int().min(0).lt(parts.length);
const ListPosition = z.tuple([PartIndex, z.string().max(400)]);

/**
 * A page of the list of conversations: pinned ones, then the others. Its cursor names the part and the position
 * in it, so a conversation that moves between the parts meanwhile is read twice or not at all, and no other one.
 * @throws invalidRequest('cursor')
 */
async function readListed<T>(
  { limit, cursor }: PageRequest,
  read: (name: string, condition: Part, request: PageRequest) => Promise<Page<T>>,
): Promise<Page<T>> {
  const [from, position] = cursor === undefined ? [0, ''] : decodeCursor(list, cursor, ListPosition);
  const found: T[] = [];
  for (const [at, part] of parts.entries()) {
    if (at < from) continue;
    const start = at === from && position !== '' ? position : undefined;
    // A full page still has to find out whether this part has any.
    const left = limit - found.length;
    const request = { limit: Math.max(left, 1), cursor: start };
    const { page, nextCursor } = await read(`${list} ${at}`, part, request);
    if (left === 0) return { page: found, nextCursor: page.length > 0 ? encodeCursor(list, [at, '']) : null };
    found.push(...page);
    if (nextCursor !== null) return { page: found, nextCursor: encodeCursor(list, [at, nextCursor]) };
  }
  return { page: found, nextCursor: null };
}
