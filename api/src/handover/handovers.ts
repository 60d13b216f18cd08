import type { Types } from 'mongoose';
import type { Guests } from '../accounts/guests.ts';
import type { Handover, HandoverMessageRequest, HandoverRequest } from '../contract/handover.ts';
import type { Language } from '../contract/language.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import { textsOf } from '../i18n/texts-of.ts';
import type { ConversationSummaries } from '../records/conversation-summaries.ts';
import type { CreateRecord } from '../records/create-record.ts';
import type { FindRecord, HiddenRecords } from '../records/hidden-records.ts';
import type { RecordDocument, RecordModel } from '../records/record.ts';
import { databaseDate } from '../store/database-clock.ts';
import { toObjectId, unguessableId } from '../store/object-id.ts';
import { unlessDuplicate } from '../store/store-failure.ts';
import {
  changeHandover,
  excerptOf,
  type HandoverDocument,
  type HandoverModel,
  handoverDefaults,
  handoversOf,
  toHandover,
  visibleHandovers,
  withMessage,
} from './handover.ts';
import type { HandoverChanges } from './handover-changes.ts';

export type Handovers = ReturnType<typeof createHandovers>;

/** Maximum number of open handovers that are read of an owner. */
const maxOpen = 100;

/** The answer to a question for a person. True even if the server ends before it creates the handover. */
const asksForPerson = textsOf('answers')('asked_for_person');

/** Handovers as their visitors see them. Methods with a handover's id throw notFound('handover'). */
export function createHandovers(deps: {
  handovers: HandoverModel;
  records: RecordModel;
  hidden: HiddenRecords;
  findRecord: FindRecord;
  createRecord: CreateRecord;
  summaries: Pick<ConversationSummaries, 'get'>;
  guests: Guests;
  changes: HandoverChanges;
  /** To be called before a record is created. */
  expectAnswer(): Promise<void>;
}) {
  const { handovers, records, hidden, findRecord, createRecord, summaries, guests, changes } = deps;

  const visible = (owner: string, some: HandoverDocument[]) => visibleHandovers(deps, owner, some);

  async function find(owner: string, id: string): Promise<HandoverDocument> {
    const found = await handovers.findOne({ _id: toObjectId(id, 'handover'), owner, erasedBy: null }).lean();
    const [shown] = found ? await visible(owner, [found]) : [];
    if (!shown) throw notFound('handover');
    return shown;
  }

  async function change(owner: string, id: string, decide: Parameters<typeof changeHandover>[2]) {
    const changed = await changeHandover(handovers, () => find(owner, id), decide);
    changes.report(changed);
    return toHandover(changed);
  }

  async function recordOf(
    owner: string,
    language: Language,
    { conversationId, recordId, question, clientId }: HandoverRequest,
  ): Promise<Pick<RecordDocument, '_id' | 'conversationId'>> {
    if (recordId !== undefined) {
      const record = await findRecord(owner, recordId, { conversationId: 1 });
      if (conversationId !== undefined && record.conversationId.toHexString() !== conversationId)
        throw notFound('record');
      return record;
    }
    if (conversationId !== undefined) {
      const latest = await latestRecord(owner, toObjectId(conversationId, 'conversation'));
      if (!latest) throw notFound('conversation');
      return latest;
    }
    const asked = { text: question, clientId: `handover ${clientId}` };
    const isSame = (record: RecordDocument) => record.question === question;
    const answer = asksForPerson(language);
    await deps.expectAnswer();
    return (await createRecord.put(owner, language, asked, isSame, undefined, answer)).record;
  }

  async function latestRecord(owner: string, conversationId: Types.ObjectId) {
    return records
      .findOne({ conversationId, ...(await hidden.visible(owner)) }, { conversationId: 1 })
      .sort({ createdAt: -1, _id: -1 })
      .lean();
  }

  /** The visible handover of an earlier, equal request. @throws conflict for a different one, notFound */
  async function repeated(owner: string, { clientId, question }: HandoverRequest) {
    const same = await handovers.findOne({ owner, clientId }).lean();
    if (!same) return null;
    if (same.question !== question) throw new ApiError('conflict_client_id');
    return find(owner, same._id.toHexString());
  }

  return {
    /**
     * Asks for a person. `isNew` is false if the request was repeated or its conversation has an open handover.
     * @throws notFound('conversation' or 'record'), conflict if the `clientId` was used for another question.
     */
    async ask(owner: string, language: Language, request: HandoverRequest) {
      const before = await repeated(owner, request);
      if (before) return { handover: toHandover(before), isNew: false };
      const record = await recordOf(owner, language, request);
      await guests.ensureStored(owner);
      const handover = newHandover(owner, record, request);
      if (!(await unlessDuplicate(handovers.create(handover)))) {
        const open = { owner, openIn: record.conversationId };
        const there = (await repeated(owner, request)) ?? (await handovers.findOne(open).lean());
        const [shown] = there ? await visible(owner, [there]) : [];
        // It was closed or deleted meanwhile.
        if (!shown) throw new ApiError('conflict');
        return { handover: toHandover(shown), isNew: false };
      }
      // Its record may have been deleted, and its guest adopted, while it was created.
      try {
        await findRecord(owner, record._id.toHexString(), { _id: 1 });
      } catch (cause) {
        if ((await guests.ownerNow(owner)) === owner) await handovers.deleteOne({ _id: handover._id });
        throw cause;
      }
      await guests.ownerNow(owner);
      changes.report(handover);
      return { handover: toHandover(handover), isNew: true };
    },

    /** The latest 50 of a conversation, oldest first. `isSeen` marks their replies as seen. @throws notFound('conversation') */
    async ofConversation(owner: string, conversationId: string, isSeen: boolean): Promise<Handover[]> {
      const conversation = await summaries.get(owner, conversationId);
      const shown = await handoversOf(deps, owner, conversation._id);
      for (const { _id, revision } of isSeen ? shown.filter(({ isUnread }) => isUnread) : [])
        await handovers.updateOne({ _id, owner, revision }, { $set: { isUnread: false } });
      return shown.map(toHandover);
    },

    /** Handovers that are not closed, at most 100. */
    async open(owner: string): Promise<Handover[]> {
      const found = await handovers.find({ owner, isOpen: true, erasedBy: null }).limit(maxOpen).lean();
      return (await visible(owner, found)).map(toHandover);
    },

    async find(owner: string, id: string): Promise<Handover> {
      return toHandover(await find(owner, id));
    },

    /** @throws handover_closed, handover_full, conflict if the `clientId` was used for another text. */
    write: (owner: string, id: string, { text, clientId }: HandoverMessageRequest) =>
      change(owner, id, (before) => {
        const added = withMessage(before, { from: 'visitor', name: '', text, clientId });
        return added && { ...added, isUnread: false };
      }),

    close: (owner: string, id: string) =>
      change(owner, id, ({ isOpen }) => (isOpen ? { isOpen: false } : null)),
  };
}

function newHandover(
  owner: string,
  record: Pick<RecordDocument, '_id' | 'conversationId'>,
  { conversationId, recordId, question, contactDetails = '', clientId }: HandoverRequest,
): HandoverDocument {
  const now = databaseDate();
  return {
    ...handoverDefaults(),
    _id: unguessableId(),
    owner,
    conversationId: record.conversationId,
    recordId: record._id,
    isOfConversation: recordId === undefined && conversationId !== undefined,
    question,
    contactDetails,
    openIn: record.conversationId,
    lastMessage: excerptOf(question),
    waitingSince: now,
    clientId,
    createdAt: now,
    updatedAt: now,
  };
}
