import { type Model, Schema, type Types } from 'mongoose';
import { judgementOf, type StoredJudgement } from '../answers/judgement.ts';
import type { AnswerReason, Citation, Doubt, Judgement } from '../contract/answers.ts';
import type { Language } from '../contract/language.ts';
import type {
  AnsweredSince,
  DeskRecord,
  Feedback,
  RecordFile,
  RecordStatus,
  VersionOf,
} from '../contract/records.ts';
import type { ModelFailureKind } from '../errors/model-failures.ts';
import { textsOf } from '../i18n/texts-of.ts';
import { defineModel } from '../store/define-model.ts';
import { type Lease, leaseSchema } from '../store/process-lease.ts';
import { contactPart } from './contact.ts';
import { type Moved, movedSchema } from './contact-book/contact-undo.ts';

/** One question and its answer, with the fields that its owner sees and those that only the server uses. */
export interface RecordDocument
  extends Omit<
      DeskRecord,
      | 'id'
      | 'conversationId'
      | 'createdAt'
      | 'answerStartedAt'
      | 'answeredAt'
      | 'failure'
      | 'versionOf'
      | keyof Judgement
    >,
    StoredJudgement {
  _id: Types.ObjectId;
  /** `user:<id>` or `guest:<id>`. */
  owner: string;
  conversationId: Types.ObjectId;
  language: Language;
  /** The model chosen by the asker, '' for the default: also used for retries. */
  chosenModel: string;
  /** Whether it is answered without the earlier questions of its conversation; missing if not. */
  isAlone?: boolean;
  /** Whether the question was generated because its asker sent only files. */
  isSummary: boolean;
  /** Why the model failed; null or missing if it did not. */
  modelFailure?: ModelFailureKind | null;
  /** Explanation of the answer. Only read on request, and removed after some days, see `forget-reasons.ts`. */
  why?: AnswerReason | null;
  /** Set together with `why`; missing if there is none. */
  hasWhy?: boolean;
  createdAt: Date;
  /** The first version of its question; null or missing if it is the first. */
  versionOf?: StoredVersionOf | null;
  /** Start of the attempt that produced `answer`. */
  answerStartedAt?: Date | null;
  answeredAt: Date | null;
  /** The client's own id of the question, unique per owner. */
  clientId?: string;
  /** The client's own id of the latest retry, if it had one. */
  retryClientId?: string;
  /** The deletion that hides it; null if it is not deleted. */
  erasedBy: Types.ObjectId | null;
  lease: Lease | null;
  /** Its process died before the first answer ended: a repeated request answers it again. */
  isAbandoned?: boolean;
  /** Asks the answering process to stop. */
  stopRequested: boolean;
  /** False while a retry still shows the previous answer. */
  begun: boolean;
  /** The status to restore if a retry ends before it has begun. */
  statusBefore: RecordStatus | null;
  /** Search terms, see `recordTerms`; missing while it is deleted. Only read on request. */
  terms?: string[];
  /** Its group in the unanswered inbox; set together with `isInInbox`. */
  inbox?: string;
  isInInbox?: boolean;
  /** Its place in the inbox may be outdated and must be checked, see `unanswered-mark.ts`. */
  inboxDue?: boolean;
  /** The contacts it had before merges and renames that can be undone, oldest first. */
  moved?: Moved[];
}

/** As `VersionOf` of the contract. */
export interface StoredVersionOf {
  recordId: Types.ObjectId;
  createdAt: Date;
  number: number;
}

const part = { _id: false, id: false } as const;
const citation = new Schema<Citation>(
  {
    title: String,
    quote: String,
    start: Number,
    end: Number,
    href: String,
    isPrivate: Boolean,
    place: String,
    at: Schema.Types.Mixed,
    restOfSection: String,
    restOfRow: String,
  },
  part,
);
const doubt = new Schema<Doubt>({ kind: String, start: Number, end: Number }, part);
const file = new Schema<RecordFile>(
  {
    id: String,
    name: String,
    kind: String,
    chars: Number,
    pages: Number,
    url: String,
    notices: { type: [Schema.Types.Mixed], default: undefined },
  },
  part,
);
const versionOf = new Schema<StoredVersionOf>(
  { recordId: Schema.Types.ObjectId, createdAt: Date, number: Number },
  part,
);
const answeredSince = new Schema<AnsweredSince>({ pairId: String, answer: String, at: String }, part);
const feedback = new Schema<Feedback>({ rating: Number, note: String }, part);

const { schema, create } = defineModel<RecordDocument>('Record', 'records', {
  owner: { type: String, required: true },
  conversationId: { type: Schema.Types.ObjectId, required: true },
  contact: { type: contactPart, default: null },
  kind: { type: String, required: true },
  status: { type: String, required: true },
  language: { type: String, default: 'zh' },
  question: { type: String, required: true },
  answer: { type: String, default: '' },
  citations: { type: [citation], default: [] },
  source: { type: String, default: 'none' },
  outcome: { type: String },
  unsupported: { type: [String], default: undefined },
  understoodAs: { type: String },
  doubts: { type: [doubt], default: undefined },
  isImage: { type: Boolean, default: false },
  url: { type: String, default: '' },
  imgUrls: { type: [String], default: [] },
  files: { type: [file], default: [] },
  feedback: { type: feedback, default: null },
  suggestions: { type: [String], default: [] },
  model: { type: String, default: '' },
  chosenModel: { type: String, default: '' },
  reasoning: { type: String, default: '' },
  answeredSince: { type: answeredSince, default: null },
  answeredByPerson: { type: Boolean },
  isAlone: { type: Boolean },
  isSummary: { type: Boolean, default: false },
  modelFailure: { type: String },
  why: { type: Schema.Types.Mixed, select: false },
  hasWhy: { type: Boolean, select: false },
  createdAt: { type: Date, required: true },
  versionOf: { type: versionOf },
  answerStartedAt: { type: Date, default: null },
  answeredAt: { type: Date, default: null },
  clientId: { type: String },
  retryClientId: { type: String },
  erasedBy: { type: Schema.Types.ObjectId, default: null },
  lease: { type: leaseSchema, default: null },
  isAbandoned: { type: Boolean },
  stopRequested: { type: Boolean, default: false },
  begun: { type: Boolean, default: false },
  statusBefore: { type: String, default: null },
  terms: { type: [String], default: undefined, select: false },
  inbox: { type: String },
  isInInbox: { type: Boolean },
  inboxDue: { type: Boolean },
  moved: { type: [movedSchema], default: undefined },
});
schema.index({ owner: 1, erasedBy: 1, createdAt: -1, _id: -1 });
schema.index({ owner: 1, conversationId: 1, createdAt: -1, _id: -1 });
// The days of all owners, see desk-days.ts.
schema.index({ erasedBy: 1, createdAt: 1 });
schema.index({ createdAt: 1 });
schema.index(
  { owner: 1, clientId: 1 },
  { unique: true, partialFilterExpression: { clientId: { $exists: true } } },
);
schema.index({ owner: 1, erasedBy: 1, 'contact.id': 1, createdAt: -1 });
schema.index({ owner: 1, erasedBy: 1, 'contact.name': 1, 'contact.id': 1 });
schema.index({ owner: 1, terms: 1, createdAt: -1, _id: -1 });
schema.index({ status: 1, _id: 1 }, { partialFilterExpression: { status: 'answering' } });
schema.index({ inboxDue: 1, _id: 1 }, { partialFilterExpression: { inboxDue: true } });
schema.index(
  { inbox: 1, inboxDue: 1, erasedBy: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { isInInbox: true } },
);
schema.index(
  { owner: 1, 'versionOf.recordId': 1, createdAt: -1 },
  { partialFilterExpression: { 'versionOf.recordId': { $exists: true } } },
);
schema.index(
  { owner: 1, conversationId: 1, 'versionOf.createdAt': -1 },
  { partialFilterExpression: { 'versionOf.createdAt': { $exists: true } } },
);
schema.index({ owner: 1, 'moved.undo': 1 }, { partialFilterExpression: { 'moved.undo': { $exists: true } } });
schema.index({ hasWhy: 1, answeredAt: 1 }, { partialFilterExpression: { hasWhy: true } });
schema.index({ owner: 1, isInInbox: 1 }, { partialFilterExpression: { isInInbox: true } });

export type RecordModel = Model<RecordDocument>;
export const createRecordModel = create;

/** The representation for its owner. */
export function toDeskRecord(
  document: Pick<
    RecordDocument,
    '_id' | Exclude<keyof DeskRecord, 'id' | 'failure' | 'versionOf' | keyof Judgement>
  > &
    Partial<Pick<RecordDocument, 'modelFailure' | 'language' | 'versionOf' | keyof Judgement>>,
): DeskRecord {
  return {
    id: document._id.toHexString(),
    conversationId: document.conversationId.toHexString(),
    contact: document.contact ? { id: document.contact.id, name: document.contact.name } : null,
    kind: document.kind,
    status: document.status,
    question: document.question,
    answer: document.answer,
    citations: document.citations,
    source: document.source,
    ...(document.outcome ? judgementOf(document) : {}),
    isImage: document.isImage,
    url: document.url,
    imgUrls: document.imgUrls,
    files: document.files,
    feedback: document.feedback,
    suggestions: document.suggestions,
    // Records of earlier versions lack these fields.
    model: document.model ?? '',
    reasoning: document.reasoning ?? '',
    answeredSince: document.answeredSince ?? null,
    ...(document.answeredByPerson ? { answeredByPerson: true } : {}),
    createdAt: document.createdAt.toISOString(),
    ...(document.answerStartedAt ? { answerStartedAt: document.answerStartedAt.toISOString() } : {}),
    answeredAt: document.answeredAt?.toISOString() ?? null,
    ...(document.modelFailure ? { failure: failureOf(document.modelFailure, document.language) } : {}),
    ...(document.versionOf ? { versionOf: shownVersionOf(document.versionOf) } : {}),
  };
}

function shownVersionOf({ recordId, createdAt, number }: StoredVersionOf): VersionOf {
  return { recordId: recordId.toHexString(), createdAt: createdAt.toISOString(), number };
}

/** Id of the first version of a record's question, which holds the files of all versions. */
export function firstVersionOf({
  _id,
  versionOf,
}: Pick<RecordDocument, '_id' | 'versionOf'>): Types.ObjectId {
  return versionOf?.recordId ?? _id;
}

function failureOf(kind: ModelFailureKind, language: Language = 'zh'): string {
  return textsOf('errors')(`model_${kind}`)(language);
}
