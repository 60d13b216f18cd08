import { type AnyBulkWriteOperation, type Model, Schema, type Types, type UpdateQuery } from 'mongoose';
import { judgementOf, withoutJudgement } from '../answers/judgement.ts';
import { type AnswerReason, type AnswerSource, Citation, Doubt, type Outcome } from '../contract/answers.ts';
import type { Language } from '../contract/language.ts';
import { AnsweredSince, DeskRecord, Feedback, RecordFile, type RecordStatus } from '../contract/records.ts';
import type { ModelFailureKind } from '../errors/model-failures.ts';
import { textsOf } from '../i18n/texts-of.ts';
import { defineModel, onlyWhere, onlyWith } from '../store/define-model.ts';
import { describeAs } from '../store/describe-as.ts';
import {
  contractPart,
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
import { leaseSchema } from '../store/process-lease.ts';
import { contactPart } from './contact.ts';
import { type Moved, movedSchema } from './contact-book/contact-undo.ts';

const citation = contractPart(Citation.omit({ isWithdrawn: true }));
const versionOf = part({
  recordId: field(Schema.Types.ObjectId),
  createdAt: field(Date),
  number: field(Number),
});
/** As `VersionOf` of the contract. */
export type StoredVersionOf = Part<typeof versionOf>;

const fields = {
  /** `user:<id>` or `guest:<id>`. */
  owner: required(String),
  conversationId: required(Schema.Types.ObjectId),
  contact: nullable(contactPart),
  kind: required<DeskRecord['kind']>(String),
  status: required<RecordStatus>(String),
  language: withDefault<Language>('zh'),
  question: required(String),
  answer: withDefault(''),
  citations: list(citation),
  /** Ids of the collections, besides the first one, of which the answer may contain knowledge. */
  collections: optional<string[]>([String]),
  /** Ids of the collections, besides the first one, that its asker could read. Missing in records of earlier versions, and until it is answered. */
  audience: optional<string[]>([String]),
  source: withDefault<AnswerSource>('none'),
  // As in `StoredJudgement`.
  outcome: optional<Outcome | null>(String),
  unsupported: optional<string[] | null>([String]),
  understoodAs: optional<string | null>(String),
  doubts: optional<Doubt[] | null>([contractPart(Doubt)]),
  isImage: withDefault(false),
  url: withDefault(''),
  imgUrls: list(String),
  files: list(contractPart(RecordFile)),
  feedback: nullable(contractPart(Feedback)),
  suggestions: list(String),
  model: withDefault(''),
  /** The model chosen by the asker, '' for the default: also used for retries. */
  chosenModel: withDefault(''),
  reasoning: withDefault(''),
  answeredSince: nullable(contractPart(AnsweredSince)),
  answeredByPerson: optional(Boolean),
  /** Whether it is answered without the earlier questions of its conversation; missing if not. */
  isAlone: optional(Boolean),
  /** Whether the question was generated because its asker sent only files. */
  isSummary: withDefault(false),
  /** Why the model failed; null or missing if it did not. */
  modelFailure: optional<ModelFailureKind | null>(String),
  /** Explanation of the answer. Only read on request, and removed after some days, see `forget-reasons.ts`. */
  why: field<AnswerReason | null, false>({ type: Schema.Types.Mixed, select: false }),
  /** Set together with `why`; missing if there is none. */
  hasWhy: field<boolean, false>({ type: Boolean, select: false }),
  createdAt: required(Date),
  /** The first version of its question; null or missing if it is the first. */
  versionOf: optional<StoredVersionOf | null>(versionOf),
  /** Start of the attempt that produced `answer`. */
  answerStartedAt: field<Date | null, false>({ type: Date, default: null }),
  answeredAt: nullable(Date),
  /** The client's own id of the question, unique per owner. */
  clientId: optional(String),
  /** The client's own id of the latest retry, if it had one. */
  retryClientId: optional(String),
  /** The deletion that hides it; null if it is not deleted. */
  erasedBy: nullable(Schema.Types.ObjectId),
  lease: nullable(leaseSchema),
  /** Its process died or lost the store before the first answer ended: a repeated request answers it again. */
  isAbandoned: optional(Boolean),
  /** Asks the answering process to stop. */
  stopRequested: withDefault(false),
  /** False while a retry still shows the previous answer. */
  begun: withDefault(false),
  /** The status to restore if a retry ends before it has begun. */
  statusBefore: nullable<RecordStatus>(String),
  /** Search terms, see `recordTerms`; missing while it is deleted. Only read on request. */
  terms: field<string[], false>({ type: [String], default: undefined, select: false }),
  /** Its group in the unanswered inbox; set together with `isInInbox`. */
  inbox: optional(String),
  isInInbox: optional(Boolean),
  /** Its place in the inbox may be outdated and must be checked, see `unanswered-mark.ts`. */
  inboxDue: optional(Boolean),
  /** Whether statistics have counted it as it is, see statistics/counted-days.ts. */
  isCounted: optional(Boolean),
  /** The contacts it had before merges and renames that can be undone, oldest first. */
  moved: optional<Moved[]>([movedSchema]),
};

/** One question and its answer, with the fields that its owner sees and those that only the server uses. */
export type RecordDocument = DocumentOf<typeof fields>;
export const recordDefaults = () => defaultsOf(fields);

export const recordModel = defineModel<RecordDocument>('Record', 'records', fields);
recordModel.schema.index({ owner: 1, erasedBy: 1, createdAt: -1, _id: -1 });
recordModel.schema.index({ owner: 1, conversationId: 1, createdAt: -1, _id: -1 });
// The days of all owners, see desk-days.ts.
recordModel.schema.index({ erasedBy: 1, createdAt: 1 });
recordModel.schema.index({ createdAt: 1 });
recordModel.schema.index({ owner: 1, clientId: 1 }, { unique: true, ...onlyWith('clientId') });
recordModel.schema.index({ owner: 1, erasedBy: 1, 'contact.id': 1, createdAt: -1 });
recordModel.schema.index({ owner: 1, erasedBy: 1, 'contact.name': 1, 'contact.id': 1 });
recordModel.schema.index({ owner: 1, terms: 1, createdAt: -1, _id: -1 });
recordModel.schema.index({ status: 1, _id: 1 }, onlyWhere({ status: 'answering' }));
recordModel.schema.index({ inboxDue: 1, _id: 1 }, onlyWhere({ inboxDue: true }));
const inInbox = onlyWhere({ isInInbox: true });
recordModel.schema.index({ inbox: 1, inboxDue: 1, erasedBy: 1, createdAt: -1, _id: -1 }, inInbox);
recordModel.schema.index(
  { owner: 1, 'versionOf.recordId': 1, createdAt: -1 },
  onlyWith('versionOf.recordId'),
);
recordModel.schema.index(
  { owner: 1, conversationId: 1, 'versionOf.createdAt': -1 },
  onlyWith('versionOf.createdAt'),
);
recordModel.schema.index({ owner: 1, 'moved.undo': 1 }, onlyWith('moved.undo'));
recordModel.schema.index({ isCounted: 1, owner: 1, createdAt: 1 });
recordModel.schema.index({ hasWhy: 1, answeredAt: 1 }, onlyWhere({ hasWhy: true }));
recordModel.schema.index({ owner: 1, isInInbox: 1 }, inInbox);

/** Fields that statistics count. */
export const countedFields = [
  'createdAt',
  'answerStartedAt',
  'answeredAt',
  'source',
  'outcome',
  'answeredByPerson',
  'contact',
  'feedback',
] as const satisfies (keyof RecordDocument)[];

/** Fields that decide in whose statistics a record is, and whether it is. */
const placingFields = ['owner', 'erasedBy'] as const satisfies (keyof RecordDocument)[];
const watchedFields = new Set<string>([...countedFields, ...placingFields]);

/** A change of what was counted is not counted. */
function unmark(update: UpdateQuery<RecordDocument>): void {
  const paths = Object.values(update).flatMap((fields) => Object.keys(fields ?? {}));
  if (paths.some((path) => watchedFields.has(path.split('.')[0]!)))
    update.$unset = { ...update.$unset, isCounted: 1 };
}
recordModel.schema.pre(['updateOne', 'updateMany'], { document: false, query: true }, function () {
  unmark(this.getUpdate() as UpdateQuery<RecordDocument>);
});
recordModel.schema.pre('bulkWrite', (operations: AnyBulkWriteOperation[]) => {
  for (const operation of operations)
    if ('updateOne' in operation) unmark(operation.updateOne.update as UpdateQuery<RecordDocument>);
});

export type RecordModel = Model<RecordDocument>;

/** The representation for its owner. */
export function toDeskRecord(record: RecordDocument): DeskRecord {
  return describeAs(DeskRecord, {
    ...record,
    ...withoutJudgement,
    ...(record.outcome ? judgementOf(record) : {}),
    // Records of earlier versions lack these fields.
    model: record.model ?? '',
    reasoning: record.reasoning ?? '',
    answeredSince: record.answeredSince ?? null,
    answeredByPerson: record.answeredByPerson || undefined,
    failure: record.modelFailure && failureOf(record.modelFailure, record.language),
  });
}

/** Id of the first version of a record's question, which holds the files of all versions. */
export function firstVersionOf(record: Pick<RecordDocument, '_id' | 'versionOf'>): Types.ObjectId {
  return record.versionOf?.recordId ?? record._id;
}

function failureOf(kind: ModelFailureKind, language: Language = 'zh'): string {
  return textsOf('errors')(`model_${kind}`)(language);
}
