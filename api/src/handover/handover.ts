import { type Connection, type Model, Schema, type Types } from 'mongoose';
import { Handover, type HandoverMessage, type HandoverState, InboxEntry } from '../contract/handover.ts';
import { ApiError } from '../errors/errors.ts';
import type { HiddenRecords } from '../records/hidden-records.ts';
import type { RecordModel } from '../records/record.ts';
import { databaseDate } from '../store/database-clock.ts';
import { defineModel, onlyWhere, onlyWith } from '../store/define-model.ts';
import { describeAs } from '../store/describe-as.ts';
import {
  type DocumentOf,
  defaultsOf,
  field,
  list,
  nullable,
  optional,
  type Part,
  part,
  required,
  withDefault,
} from '../store/fields.ts';
import { unguessableId } from '../store/object-id.ts';
import { retryConflicts } from '../store/retry-conflicts.ts';

const message = part({
  id: field(String),
  from: field<HandoverMessage['from']>(String),
  name: field(String),
  text: field(String),
  createdAt: field(Date),
  /** The client's own id of the message, unique among the messages `from` the same side. */
  clientId: field(String),
});
export type StoredMessage = Part<typeof message>;

const fields = {
  owner: required(String),
  conversationId: required(Schema.Types.ObjectId),
  /** It is hidden, restored and deleted together with this record. */
  recordId: required(Schema.Types.ObjectId),
  /** Whether it was asked from the conversation as a whole; `recordId` is then the latest record at that time. */
  isOfConversation: withDefault(false),
  question: required(String),
  contactDetails: withDefault(''),
  isOpen: withDefault(true),
  /** The conversation, while it is open and not deleted; otherwise missing. Unique. */
  openIn: optional(Schema.Types.ObjectId),
  /** Whether the latest message is an agent's. */
  isAnswered: withDefault(false),
  /** Owner id of the agent it is assigned to. */
  agentId: nullable(String),
  agentName: withDefault(''),
  messages: list(message),
  /** Start of the latest message, or of the question. */
  lastMessage: withDefault(''),
  /** When the visitor's earliest message without a reply was sent; the latest message's time if none is. */
  waitingSince: required(Date),
  /** Whether the visitor has not seen the latest reply. */
  isUnread: withDefault(false),
  firstReplyAt: nullable(Date),
  /** Time from the question to the first reply, in ms. */
  firstReplyMs: nullable(Number),
  /** The curated pair that was created from it. */
  pairId: nullable(String),
  /** The client's own id of the request, unique per owner; removed if an account has the same when it adopts a guest. */
  clientId: optional(String),
  createdAt: required(Date),
  updatedAt: required(Date),
  /** Missing while it is open, and in handovers that earlier versions closed, see `closedAtOf`. */
  closedAt: optional(Date),
  revision: withDefault(0),
  /** The deletion that hides it together with its record; null if it is not deleted. */
  erasedBy: nullable(Schema.Types.ObjectId),
};

/** A request for a person with its messages; each change is an atomic write that compares `revision`. */
export type HandoverDocument = DocumentOf<typeof fields>;
export const handoverDefaults = () => defaultsOf(fields);

const { schema, create } = defineModel<HandoverDocument>('Handover', 'handovers', fields);
schema.index({ owner: 1, conversationId: 1, createdAt: 1 });
schema.index({ owner: 1, isOpen: 1 });
schema.index({ owner: 1, _id: 1 });
schema.index({ owner: 1, clientId: 1 }, { unique: true, ...onlyWith('clientId') });
schema.index({ owner: 1, isUnread: 1 }, onlyWhere({ isUnread: true }));
schema.index({ openIn: 1 }, { unique: true, ...onlyWith('openIn') });
schema.index({ isOpen: 1, erasedBy: 1, isAnswered: 1, waitingSince: 1, _id: 1 });
schema.index({ isOpen: 1, erasedBy: 1, updatedAt: -1, _id: -1 });
schema.index({ agentId: 1, isOpen: 1 });
schema.index({ recordId: 1 });
schema.index({ erasedBy: 1 });
schema.index({ updatedAt: 1 });
schema.index({ firstReplyAt: -1, firstReplyMs: 1 });

export type HandoverModel = Model<HandoverDocument>;
export const createHandoverModel: (connection: Connection) => HandoverModel = create;

export function stateOf(one: Pick<HandoverDocument, 'isOpen' | 'isAnswered' | 'agentId'>): HandoverState {
  if (!one.isOpen) return 'closed';
  if (one.isAnswered) return 'answered';
  return one.agentId === null ? 'waiting' : 'assigned';
}

/**
 * The time up to which agents read its conversation; null while it is open. Earlier versions did not store it:
 * the latest message is the latest time at which it was certainly open.
 */
export function closedAtOf({ isOpen, closedAt, messages, createdAt }: HandoverDocument): Date | null {
  return isOpen ? null : (closedAt ?? messages.at(-1)?.createdAt ?? createdAt);
}

export function toHandover(document: HandoverDocument): Handover {
  return describeAs(Handover, { ...document, ...shownOf(document) });
}

/** The part of it that agents see in lists. */
export function toInboxEntry(document: Omit<HandoverDocument, 'messages'>, isMine: boolean): InboxEntry {
  return describeAs(InboxEntry, { ...document, ...shownOf(document), isMine });
}

function shownOf(document: Omit<HandoverDocument, 'messages'>) {
  const { isOfConversation, recordId, agentId, agentName } = document;
  return {
    recordId: isOfConversation ? null : recordId,
    state: stateOf(document),
    agent: agentId === null ? null : agentName,
  };
}

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

/** Maximum number of handovers that are read of a conversation: the latest. */
const maxOfConversation = 50;

/** The latest visible handovers of a conversation, oldest first. */
export async function handoversOf(
  deps: { handovers: HandoverModel; records: RecordModel; hidden: HiddenRecords },
  owner: string,
  conversationId: Types.ObjectId,
): Promise<HandoverDocument[]> {
  const found = await deps.handovers
    .find({ owner, conversationId, erasedBy: null })
    .sort({ createdAt: -1 })
    .limit(maxOfConversation)
    .lean();
  return visibleHandovers(deps, owner, found.reverse());
}

/** Handovers whose record is visible: a running deletion hides records before it marks their handovers. */
export async function visibleHandovers<T extends Pick<HandoverDocument, 'recordId'>>(
  { records, hidden }: { records: RecordModel; hidden: HiddenRecords },
  owner: string,
  some: readonly T[],
): Promise<T[]> {
  if (some.length === 0) return [];
  const _id = { $in: some.map(({ recordId }) => recordId) };
  const found = await records.find({ _id, ...(await hidden.visible(owner)) }, { _id: 1 }).lean();
  const shown = new Set(found.map(({ _id }) => _id.toHexString()));
  return some.filter(({ recordId }) => shown.has(recordId.toHexString()));
}
