import type { Types } from 'mongoose';
import type { Guests } from '../accounts/guests.ts';
import type { Turn } from '../answers/answerer.ts';
import type { ChatQuestion } from '../contract/chat.ts';
import type { Language } from '../contract/language.ts';
import type { RecordFile } from '../contract/records.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import { databaseDate } from '../store/database-clock.ts';
import { toObjectId, unguessableId } from '../store/object-id.ts';
import { newLease, type ThisProcess } from '../store/process-lease.ts';
import { isDuplicateKey } from '../store/store-failure.ts';
import { changeRecord } from './change-record.ts';
import type { Contacts } from './contacts.ts';
import { type ConversationDocument, conversationTitle, unarchive } from './conversation.ts';
import type { ConversationSummaries } from './conversation-summaries.ts';
import type { FindRecord, HiddenRecords } from './hidden-records.ts';
import { firstVersionOf, type RecordDocument, recordDefaults, type StoredVersionOf } from './record.ts';
import { historyBefore } from './record-history.ts';
import type { RecordModels } from './record-models.ts';
import { recordTerms } from './search/record-terms.ts';
import { inboxMark } from './unanswered-mark.ts';

/** Files of a question: already stored for the record with this id. */
export interface QuestionFiles {
  recordId: Types.ObjectId;
  files: RecordFile[];
  /** Whether its text was generated because the asker sent only files. */
  isSummary: boolean;
}

/** Whether an existing record with the same `clientId` is a repetition of the same question. */
export type IsSame = (record: RecordDocument) => boolean | Promise<boolean>;

export type CreateRecord = ReturnType<typeof createRecordCreator>;

export function createRecordCreator(deps: {
  models: RecordModels;
  contacts: Contacts;
  hidden: HiddenRecords;
  summaries: ConversationSummaries;
  guests: Guests;
  findRecord: FindRecord;
  self: ThisProcess;
}) {
  const { models, contacts, hidden, summaries, guests, findRecord, self } = deps;
  const { records, conversations } = models;

  /** null if there is none. @throws conflict for a different question, notFound if it was deleted */
  async function join(owner: string, clientId: string, isSame: IsSame): Promise<RecordDocument | null> {
    const record = await records.findOne({ owner, clientId }).lean();
    if (!record) return null;
    await findRecord(owner, record._id.toHexString());
    if (!(await isSame(record))) throw new ApiError('conflict_client_id');
    return record;
  }

  /**
   * The record is inserted first, and removed again if its conversation is deleted meanwhile, so that no
   * conversation is ever without records. `into` is the previous state of the conversation; null creates one.
   */
  async function place(record: RecordDocument, into: ConversationDocument | null): Promise<void> {
    const { _id, owner, conversationId, contact, createdAt } = record;
    await records.create(record);
    if (!into) {
      const title = { title: conversationTitle(record.question), titleFrom: _id };
      const dates = { createdAt, updatedAt: createdAt };
      await conversations.create({ _id: conversationId, owner, ...title, contact, recordCount: 1, ...dates });
      return;
    }
    const grown = await conversations.updateOne(
      { _id: conversationId, owner, erasedBy: null, revision: into.revision ?? null },
      {
        $inc: { recordCount: 1 },
        // A question takes it out of the archive; archiving it meanwhile changes the revision.
        $set: {
          updatedAt: createdAt,
          contact,
          ...(into.place === 'archived' ? { place: null } : {}),
          // Its title follows the question from which it was derived.
          ...(into.titleFrom && record.versionOf?.recordId.equals(into.titleFrom)
            ? { title: conversationTitle(record.question) }
            : {}),
        },
      },
    );
    if (grown.matchedCount === 1) return;
    // Meanwhile it was recounted with or without this record, renamed, archived, or deleted.
    const isThere = await conversations.exists({ _id: conversationId, owner, erasedBy: null });
    if (!isThere) await records.deleteOne({ _id });
    await summaries.recount(owner, [conversationId]);
    if (!isThere) throw notFound('conversation');
    await unarchive(conversations, into);
  }

  /** A record that was created with its answer. */
  async function completed(record: RecordDocument): Promise<RecordDocument> {
    const { _id } = record;
    const mine = { _id, status: 'answering', 'lease.process': self.process };
    const over = { status: 'done', lease: null, statusBefore: null, begun: true } as const;
    return (await changeRecord(records, mine, () => over)) ?? { ...record, ...over };
  }

  /** The record that the question replaces; null if it replaces none. */
  async function earlierVersion(owner: string, { versionOf, conversationId }: ChatQuestion) {
    if (versionOf === undefined) return null;
    const earlier = await findRecord(owner, versionOf);
    if (conversationId !== undefined && earlier.conversationId.toHexString() !== conversationId)
      throw notFound('record');
    return earlier;
  }

  /** The record as the next version of an earlier one, with its files. */
  async function asVersionOf(earlier: RecordDocument, asked: RecordDocument): Promise<RecordDocument> {
    const { owner, conversationId, kind, isImage, url, imgUrls, files } = earlier;
    const first = firstVersionOf(earlier);
    // Deleted versions count as well: numbers are unique.
    const newest = await records
      .findOne({ owner, 'versionOf.recordId': first }, { versionOf: 1 })
      .sort({ createdAt: -1 })
      .lean();
    const versionOf: StoredVersionOf = {
      recordId: first,
      createdAt: earlier.versionOf?.createdAt ?? earlier.createdAt,
      number: (newest?.versionOf?.number ?? 1) + 1,
    };
    const isSummary = earlier.isSummary && earlier.question === asked.question;
    const ofFiles = { kind, isImage, url, imgUrls, files, isSummary };
    const record = { ...asked, ...ofFiles, conversationId, versionOf };
    return { ...record, terms: recordTerms(record), ...inboxMark(record) };
  }

  /** The conversation that the record continues, and its turns. @throws notFound('conversation') */
  async function continued(record: RecordDocument, id: string) {
    const { owner } = record;
    const notHidden = await hidden.notHidden(owner);
    const visible = { owner, erasedBy: null, ...notHidden };
    const [into, history] = await Promise.all([
      summaries.get(owner, id, notHidden),
      historyBefore(records, { visible, shownTo: hidden.shownTo }, record),
    ]);
    return { into, history };
  }

  return {
    join,

    /**
     * Creates the record of a question, in its conversation and for its contact. `history` is null if it joined
     * an existing one. With `answer` the record is complete.
     * @throws notFound('conversation'), notFound('record') for `versionOf`, ambiguous_contact, and what `join`
     * throws.
     */
    async put(
      owner: string,
      language: Language,
      question: ChatQuestion,
      isSame: IsSame,
      files?: QuestionFiles,
      answer?: string,
    ): Promise<{ record: RecordDocument; history: Turn[] | null }> {
      const { contact, contactName, conversationId, clientId } = question;
      if (clientId !== undefined) {
        const joined = await join(owner, clientId, isSame);
        if (joined) return { record: joined, history: null };
      }
      const earlier = await earlierVersion(owner, question);
      const placed = earlier?.conversationId.toHexString() ?? conversationId;
      const keeps = earlier && contact === undefined;
      const who = keeps ? earlier.contact : await contacts.resolve(owner, contact, contactName);
      const asked = newRecord({ owner, language, question, contact: who, files, answer }, self);
      const record = earlier ? await asVersionOf(earlier, asked) : asked;
      const { into, history } = placed ? await continued(record, placed) : { into: null, history: [] };
      await guests.ensureStored(owner);
      try {
        await place(record, into);
      } catch (cause) {
        const isTaken = isDuplicateKey(cause) && clientId !== undefined;
        const joined = isTaken && (await join(owner, clientId, isSame));
        if (joined) return { record: joined, history: null };
        throw cause;
      }
      await contacts.used(owner, who, record.createdAt);
      return { record: answer === undefined ? record : await completed(record), history };
    },
  };
}

function newRecord(
  given: Pick<RecordDocument, 'owner' | 'language' | 'contact'> & {
    question: ChatQuestion;
    files: QuestionFiles | undefined;
    answer: string | undefined;
  },
  self: ThisProcess,
): RecordDocument {
  const { owner, language, question, contact, files, answer } = given;
  const { text, conversationId, clientId, model, isAlone = false } = question;
  const imgUrls = files?.files.filter(({ kind }) => kind === 'image').map(({ url }) => url) ?? [];
  const createdAt = databaseDate();
  const record: RecordDocument = {
    ...recordDefaults(),
    _id: files?.recordId ?? unguessableId(),
    owner,
    conversationId:
      conversationId === undefined ? unguessableId() : toObjectId(conversationId, 'conversation'),
    contact,
    kind: files ? 'predict' : 'chat',
    status: 'answering',
    language,
    question: text,
    answer: answer ?? '',
    isImage: imgUrls.length > 0,
    url: imgUrls[0] ?? '',
    imgUrls,
    files: files?.files ?? [],
    chosenModel: model ?? '',
    ...(isAlone ? { isAlone } : {}),
    isSummary: files?.isSummary ?? false,
    createdAt,
    answeredAt: answer === undefined ? null : createdAt,
    ...(clientId === undefined ? {} : { clientId }),
    lease: newLease(self),
    // If this process ends before the record has its conversation, `recoverAnswers` completes both.
    statusBefore: answer === undefined ? null : 'done',
  };
  return { ...record, terms: recordTerms(record), ...inboxMark(record) };
}
