import { Types } from 'mongoose';
import type {
  HandoverMessageRequest,
  InboxDetail,
  InboxPage,
  InboxPairRequest,
} from '../contract/handover.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import type { Pairs } from '../knowledge/pairs.ts';
import { changeRecord } from '../records/change-record.ts';
import { type ConversationModel, unarchive } from '../records/conversation.ts';
import type { HiddenRecords } from '../records/hidden-records.ts';
import type { RecordModel } from '../records/record.ts';
import { type PageRequest, readPage } from '../store/cursor.ts';
import { databaseDate } from '../store/database-clock.ts';
import { toObjectId } from '../store/object-id.ts';
import {
  changeHandover,
  closedAtOf,
  type HandoverDocument,
  type HandoverModel,
  toHandover,
  toInboxEntry,
  visibleHandovers,
  withMessage,
} from './handover.ts';
import type { HandoverChanges } from './handover-changes.ts';

/** A person who answers: their owner, the name that visitors see, and whether they may edit the knowledge of everyone. */
export interface Agent {
  id: string;
  name: string;
  isEditor: boolean;
}

/** Maximum number of questions shown of the conversation. */
const maxHistory = 50;

/** Maximum units shown of each answer. */
const maxAnswer = 20_000;

type Listed = Omit<HandoverDocument, 'messages'>;

export type HandoverInbox = ReturnType<typeof createHandoverInbox>;

/** The requests of all visitors, for agents. Never reveals their owners. Unknown ids throw notFound('handover'). */
export function createHandoverInbox(deps: {
  handovers: HandoverModel;
  records: RecordModel;
  conversations: ConversationModel;
  hidden: HiddenRecords;
  pairs: Pick<Pairs, 'putFor'>;
  changes: HandoverChanges;
}) {
  const { handovers, records, conversations, hidden, pairs, changes } = deps;

  async function visible(some: Listed[]): Promise<Listed[]> {
    const shown = new Set<Listed>();
    for (const [owner, ofOwner] of Map.groupBy(some, (one) => one.owner))
      for (const one of await visibleHandovers(deps, owner, ofOwner)) shown.add(one);
    return some.filter((one) => shown.has(one));
  }

  async function read(id: string): Promise<HandoverDocument> {
    const found = await handovers.findOne({ _id: toObjectId(id, 'handover'), erasedBy: null }).lean();
    if (!found || (await visible([found])).length === 0) throw notFound('handover');
    return found;
  }

  async function change(agent: Agent, id: string, decide: Parameters<typeof changeHandover>[2]) {
    const changed = await changeHandover(handovers, () => read(id), decide);
    changes.report(changed);
    return detail(agent, changed);
  }

  async function detail(agent: Agent, document: HandoverDocument): Promise<InboxDetail> {
    const { owner, conversationId, agentId, pairId } = document;
    const closedAt = closedAtOf(document);
    const until = closedAt ? { createdAt: { $lte: closedAt } } : {};
    const history = await records
      .find({ conversationId, ...(await hidden.visible(owner)), ...until }, { reasoning: 0 })
      .sort({ createdAt: -1, _id: -1 })
      .limit(maxHistory)
      .lean();
    const shown = await hidden.shownTo(agent.id, history);
    const handover = toHandover(document);
    return {
      handover,
      agent: handover.agent,
      isMine: agentId === agent.id,
      pairId,
      mayAddPair: agent.isEditor,
      records: shown.reverse().map(({ question, answer, source, createdAt, answeredAt }) => ({
        question,
        // A question that was answered again after the closing has another answer now.
        answer:
          closedAt && !(answeredAt && answeredAt <= closedAt)
            ? ''
            : answer.slice(0, maxAnswer).toWellFormed(),
        source,
        createdAt: createdAt.toISOString(),
      })),
    };
  }

  /** Number of handovers that are not closed. */
  const countOpen = (): Promise<number> => handovers.countDocuments({ isOpen: true, erasedBy: null });

  const readState = (state: 'open' | 'closed', request: PageRequest) =>
    readPage(
      handovers,
      state === 'open' ? { isAnswered: 1, waitingSince: 1, _id: 1 } : 'updatedAt',
      `inbox ${state}`,
      request,
      { isOpen: state === 'open', erasedBy: null },
      { messages: 0 },
    );

  return {
    countOpen,

    /** Number of open handovers without a reply that nobody or this agent has taken. */
    countWaiting({ id }: Agent): Promise<number> {
      const agentId = { $in: [null, id] };
      return handovers.countDocuments({ isOpen: true, erasedBy: null, isAnswered: false, agentId });
    },

    /** @throws invalidRequest('cursor') */
    async list(agent: Agent, state: 'open' | 'closed', request: PageRequest): Promise<InboxPage> {
      const { page, nextCursor } = await readState(state, request);
      const shown = await visible(page);
      return {
        handovers: shown.map((document) => toInboxEntry(document, document.agentId === agent.id)),
        open: await countOpen(),
        nextCursor,
      };
    },

    async find(agent: Agent, id: string): Promise<InboxDetail> {
      return detail(agent, await read(id));
    },

    /** @throws handover_taken if another agent has it, handover_closed */
    take: (agent: Agent, id: string): Promise<InboxDetail> =>
      change(agent, id, (before) => {
        assertAvailable(agent, before);
        return before.agentId === agent.id ? null : assignedTo(agent);
      }),

    /** Makes it available to all agents again, also if another agent has it, who may be absent. */
    release: (agent: Agent, id: string): Promise<InboxDetail> =>
      change(agent, id, ({ isOpen, agentId }) => {
        if (!isOpen) throw new ApiError('handover_closed');
        return agentId === null ? null : { agentId: null, agentName: '' };
      }),

    close: (agent: Agent, id: string): Promise<InboxDetail> =>
      change(agent, id, ({ isOpen }) => (isOpen ? { isOpen: false } : null)),

    /**
     * Replies, and takes the handover if nobody has. @throws handover_taken, handover_closed, handover_full,
     * conflict if the `clientId` was used for another text.
     */
    async reply(agent: Agent, id: string, { text, clientId }: HandoverMessageRequest): Promise<InboxDetail> {
      const withReply = (before: HandoverDocument) => {
        const added = withMessage(before, { from: 'agent', name: agent.name, text, clientId });
        if (!added) return null;
        assertAvailable(agent, before);
        const firstReply = before.firstReplyAt ? {} : firstReplyTo(before);
        return { ...added, ...assignedTo(agent), ...firstReply, isUnread: true };
      };
      const replied = await changeHandover(handovers, () => read(id), withReply);
      // A repetition after a crash does this again.
      await markAnswered(records, replied);
      const conversation = { _id: replied.conversationId, owner: replied.owner };
      await conversations.updateOne(conversation, { $max: { updatedAt: replied.updatedAt } });
      await unarchive(conversations, conversation);
      changes.report(replied);
      return detail(agent, replied);
    },

    /**
     * Creates a curated pair, or changes the editors' pair that has the question, and adds its answer to the
     * visitor's record if that had none. @throws forbidden if the agent is no editor
     */
    async addPair(agent: Agent, id: string, { question, answer }: InboxPairRequest): Promise<InboxDetail> {
      if (!agent.isEditor) throw new ApiError('forbidden');
      const { recordId } = await read(id);
      const pair = await pairs.putFor(new Types.ObjectId().toHexString(), { question, answer }, []);
      const answeredSince = { pairId: pair.id, answer, at: pair.updatedAt };
      const unanswered = { _id: recordId, erasedBy: null, source: 'none' };
      await changeRecord(records, unanswered, () => ({ answeredSince }));
      return change(agent, id, ({ pairId }) => (pairId === pair.id ? null : { pairId: pair.id }));
    },
  };
}

/**
 * Marks the record of a handover that has a reply as answered by a person. A handover of a whole conversation belongs
 * to its latest record, which may be another question: it counts only if the desk had no answer. Can be repeated.
 */
async function markAnswered(records: RecordModel, handover: HandoverDocument): Promise<void> {
  const { recordId, isOfConversation } = handover;
  await changeRecord(records, { _id: recordId, answeredByPerson: null }, ({ source }) =>
    isOfConversation && source !== 'none' ? null : { answeredByPerson: true },
  );
}

/** @throws handover_taken, handover_closed */
function assertAvailable(agent: Agent, { isOpen, agentId, agentName }: HandoverDocument): void {
  if (!isOpen) throw new ApiError('handover_closed');
  if (agentId !== null && agentId !== agent.id) throw new ApiError('handover_taken', { author: agentName });
}

function assignedTo({ id, name }: Agent): Partial<HandoverDocument> {
  return { agentId: id, agentName: name };
}

function firstReplyTo({ createdAt }: HandoverDocument): Partial<HandoverDocument> {
  const firstReplyAt = databaseDate();
  return { firstReplyAt, firstReplyMs: Math.max(0, firstReplyAt.getTime() - createdAt.getTime()) };
}
