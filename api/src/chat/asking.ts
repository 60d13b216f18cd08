import { setTimeout as delay } from 'node:timers/promises';
import type { Types } from 'mongoose';
import type { Guests } from '../accounts/guests.ts';
import type { Answerer, Question, QuestionFile, Turn } from '../answers/answerer.ts';
import type { AcceptedQuestion, ChatQuestion } from '../contract/chat.ts';
import type { FileKind, PredictFiles } from '../contract/files.ts';
import type { Language } from '../contract/language.ts';
import type { RecordStatus } from '../contract/records.ts';
import { modelFailed } from '../errors/errors.ts';
import type { Contacts } from '../records/contacts.ts';
import type { CreateRecord, IsSame, QuestionFiles } from '../records/create-record.ts';
import type { FindRecord, HiddenRecords } from '../records/hidden-records.ts';
import { type RecordDocument, toDeskRecord } from '../records/record.ts';
import { historyBefore } from '../records/record-history.ts';
import type { RecordModels } from '../records/record-models.ts';
import { isDead, newLease, type ThisProcess } from '../store/process-lease.ts';
import { type AnswerOutcome, type AnswerProgress, storedOutcome } from './answer-log.ts';
import { type AnswerRecovery, endAbandoned } from './recover-answers.ts';
import type { RunningAnswers } from './running-answers.ts';

/** Maximum time a stop request waits for another process, in ms. */
const stopWithinMs = 5000;

export interface Asked {
  recordId: string;
  conversationId: string;
  clientId: string | null;
  question: Required<Omit<AcceptedQuestion, 'recordId' | 'conversationId' | 'clientId'>>;
  /** The question's files; null for a chat question. */
  files: PredictFiles | null;
  /** Everything after UTF-16 unit `from` of the answer, then its end, in whichever process it is produced. */
  follow(from: number, signal: AbortSignal): AsyncIterable<AnswerProgress>;
}

export type Asking = ReturnType<typeof createAsking>;

export function createAsking(deps: {
  models: Pick<RecordModels, 'records' | 'conversations'>;
  hidden: HiddenRecords;
  contacts: Pick<Contacts, 'recount'>;
  findRecord: FindRecord;
  createRecord: CreateRecord;
  /** The files of a record, in the answerer's format. */
  filesOf(record: RecordDocument): Promise<QuestionFile[]>;
  documentsOf(owner: string, fileIds: readonly string[]): Promise<string[]>;
  answerer: Answerer;
  running: RunningAnswers;
  guests: Guests;
  self: ThisProcess;
  recovery: AnswerRecovery;
}) {
  const { models, hidden, contacts, findRecord, createRecord, filesOf, documentsOf } = deps;
  const { answerer, running, guests, self } = deps;
  const { expectAnswer } = deps.recovery;
  const { records } = models;

  const asked = (record: RecordDocument): Asked => {
    const { contact, question, isImage, url, imgUrls, files } = toDeskRecord(record);
    return {
      recordId: record._id.toHexString(),
      conversationId: record.conversationId.toHexString(),
      clientId: record.clientId ?? null,
      question: { contact, question, isImage, url, imgUrls, files },
      files: predictFiles(record),
      follow: (from, signal) =>
        running.get(record._id.toHexString())?.log.follow(from, signal) ??
        followRecord({ models, hidden, contacts, self }, record._id, from, signal),
    };
  };

  /** A question without files may refer to the files of its conversation. */
  async function* answer(record: RecordDocument, question: Question, signal: AbortSignal) {
    if (record.kind === 'predict') {
      const files = await filesOf(record);
      return yield* answerer.answer({ ...question, files, isSummary: record.isSummary }, signal);
    }
    const fileIds = question.history.flatMap((turn) => turn.fileIds ?? []);
    const earlierDocumentIds = fileIds.length > 0 ? await documentsOf(question.owner, fileIds) : [];
    yield* answerer.answer({ ...question, ...(fileIds.length > 0 ? { earlierDocumentIds } : {}) }, signal);
  }

  function begin(record: RecordDocument, history: Turn[]): Asked {
    const question: Question = {
      text: record.question,
      owner: record.owner,
      language: record.language,
      history,
      ...(record.chosenModel ? { model: record.chosenModel } : {}),
    };
    running.start(record._id, (signal) => answer(record, question, signal), record);
    return asked(record);
  }

  async function put(
    owner: string,
    language: Language,
    question: ChatQuestion,
    isSame: IsSame,
    files?: QuestionFiles,
  ): Promise<Asked> {
    await expectAnswer();
    const { record, history } = await createRecord.put(owner, language, question, isSame, files);
    return history ? begin(record, history) : rejoined(record, language);
  }

  /** Whether its process died. After an outage longer than the lease, this process may still be saving it. */
  const isGone = ({ _id, lease }: RecordDocument) =>
    isDead(lease, self) && running.get(_id.toHexString()) === undefined;

  /** Whether nobody can have received a whole answer: its process died or lost the store before it ended. */
  const isLeft = (record: RecordDocument) =>
    record.isAbandoned === true || (record.status === 'answering' && isGone(record));

  async function retry(
    owner: string,
    language: Language,
    recordId: string,
    clientId?: string,
    isRepetition = false,
  ): Promise<Asked> {
    const record = await findRecord(owner, recordId);
    if (isRepetition && !isLeft(record)) return asked(record);
    if (clientId !== undefined && record.retryClientId === clientId) return asked(record);
    if (record.status === 'answering' && !isGone(record)) return asked(record);
    if (record.status === 'answering') {
      await endAbandoned(models, contacts, record);
      return retry(owner, language, recordId, clientId, isRepetition);
    }
    const shown = { visible: await hidden.visible(owner), shownTo: hidden.shownTo };
    const history = await historyBefore(records, shown, record);
    await guests.ensureStored(owner);
    await expectAnswer();
    const claimed = await records
      .findOneAndUpdate(
        {
          _id: record._id,
          ...(await hidden.visible(owner)),
          status: record.status,
          'lease.process': record.lease?.process ?? null,
          ...(record.isAbandoned ? { isAbandoned: true } : {}),
          // The same retry may have been answered since the record was read.
          ...(clientId === undefined ? {} : { retryClientId: { $ne: clientId } }),
        },
        {
          $set: {
            status: 'answering',
            ...(clientId === undefined ? {} : { retryClientId: clientId }),
            statusBefore: record.status,
            begun: false,
            stopRequested: false,
            lease: newLease(self),
            language,
          },
          $unset: { isAbandoned: 1 },
        },
        { returnDocument: 'after' },
      )
      .lean();
    if (!claimed) return asked(await findRecord(owner, recordId));
    return begin(claimed, history);
  }

  const rejoined = (record: RecordDocument, language: Language): Asked | Promise<Asked> =>
    isLeft(record) ? retry(record.owner, language, record._id.toHexString(), undefined, true) : asked(record);

  return {
    /**
     * Creates a question; its answer starts immediately and continues without readers. Repeating the same
     * `clientId` and text joins the existing record, and answers it again if its process died or lost the store.
     * @throws notFound('conversation'), ambiguous_contact, conflict if the `clientId` was used with another
     * text.
     */
    ask: (owner: string, language: Language, question: ChatQuestion): Promise<Asked> =>
      put(owner, language, question, ({ kind, question: text, versionOf }) =>
        question.versionOf === undefined
          ? kind === 'chat' && text === question.text && !versionOf
          : text === question.text && Boolean(versionOf),
      ),

    /** The same for a question with files. `isSame` compares with an existing record of the same `clientId`. */
    askWithFiles: put,

    /** null if there is none with this `clientId`. @throws conflict, notFound('record') */
    async join(owner: string, clientId: string, isSame: IsSame): Promise<Asked | null> {
      const record = await createRecord.join(owner, clientId, isSame);
      return record && rejoined(record, record.language);
    },

    /** @throws notFound('record'), as do the following methods. */
    async find(owner: string, recordId: string): Promise<Asked> {
      return asked(await findRecord(owner, recordId));
    },

    /** Stops the answer and keeps the text so far. Returns the resulting status. */
    async stop(owner: string, recordId: string): Promise<RecordStatus> {
      const record = await findRecord(owner, recordId);
      if (record.status !== 'answering') return record.status;
      const here = running.get(recordId);
      if (here) {
        here.stop();
        await here.ended;
      } else {
        const there = { _id: record._id, owner, status: 'answering' } as const;
        await records.updateOne(there, { $set: { stopRequested: true } });
        await endOf(asked(record), AbortSignal.timeout(stopWithinMs));
      }
      return (await findRecord(owner, recordId)).status;
    },

    /**
     * Answers the record again from the same files, or joins an answer in progress. A repeated retry with the
     * same `clientId` joins the answer that the first one started, also after its end.
     */
    retry: (...given: [owner: string, language: Language, recordId: string, clientId?: string]) =>
      retry(...given),
  };
}

function predictFiles({ kind, isImage, url, imgUrls, files }: RecordDocument): PredictFiles | null {
  if (kind !== 'predict') return null;
  const [{ kind: fileKind, chars, pages } = { kind: 'text', chars: 0, pages: 0 }] = files;
  return { isImage, url, imgUrls, extracted: { kind: fileKind as FileKind, chars, pages }, files };
}

async function endOf(asked: Asked, signal: AbortSignal): Promise<void> {
  for await (const progress of asked.follow(Number.MAX_SAFE_INTEGER, signal)) {
    if (progress.kind === 'end') return;
  }
}

/** Polling interval for an answer produced by another process, in ms. */
const pollMs = 250;
/** Maximum UTF-16 units that a reader gets at once, which limits the socket buffer of a slow reader. */
const maxAtOnce = 16_384;

/** Yields the progress of an answer from its record, if it is over or runs in another process. If that process has died, it ends as `failed`. */
export async function* followRecord(
  deps: {
    models: Pick<RecordModels, 'records' | 'conversations'>;
    hidden: Pick<HiddenRecords, 'shownTo'>;
    contacts: Pick<Contacts, 'recount'>;
    self: ThisProcess;
  },
  recordId: Types.ObjectId,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<AnswerProgress> {
  const { models, hidden, contacts, self } = deps;
  let position = from;
  let thought = 0;
  let wasAnswering = false;
  while (!signal.aborted) {
    const stored = await models.records.findById(recordId).lean();
    const [record] = stored ? await hidden.shownTo(stored.owner, [stored]) : [];
    if (!record) return;
    const isOver = record.status !== 'answering';
    // Until a retry begins, the record contains the previous answer, which is not part of the retry.
    const isOwn = isOver || record.begun;
    const answer = isOwn ? record.answer : '';
    // The reasoning of a first answer precedes its text. Records of earlier versions have none.
    const reasoning = isOwn || record.statusBefore === null ? (record.reasoning ?? '') : '';
    if (reasoning.length > thought) {
      yield { kind: 'reasoning', text: reasoning.slice(thought) };
      thought = reasoning.length;
    }
    while (answer.length > position) {
      const end = splitPosition(answer, position + maxAtOnce);
      yield { kind: 'text', text: answer.slice(position, end), end };
      position = end;
    }
    if (isOver) {
      yield { kind: 'end', outcome: outcomeOf(record, wasAnswering) };
      return;
    }
    wasAnswering = true;
    if (isDead(record.lease, self)) await endAbandoned(models, contacts, record);
    else await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** `at`, or one less if that would split a surrogate pair. */
function splitPosition(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const last = text.charCodeAt(at - 1);
  return last >= 0xd800 && last <= 0xdbff ? at - 1 : at;
}

/** Readers present at the interruption get the failure; later ones get the stored text. */
function outcomeOf(record: RecordDocument, wasAnswering: boolean): AnswerOutcome {
  const status = record.status === 'answering' ? 'failed' : record.status;
  const hasFailed = wasAnswering && status === 'failed';
  const failure = hasFailed ? { failure: modelFailed(record.modelFailure ?? undefined) } : {};
  return storedOutcome(record, { status, ...failure });
}
