import { Types } from 'mongoose';
import type { AnswerProgress } from '../answers/answer-log.ts';
import type { Answerer, Question, Turn } from '../answers/answerer.ts';
import type { RunningAnswers } from '../answers/running-answers.ts';
import type { ChatQuestion, Contact, Language, RecordStatus } from '../contract.ts';
import { conflict, notFound } from '../errors.ts';
import type { ConversationDocument } from '../models/conversation.ts';
import type { Models } from '../models/models.ts';
import type { RecordDocument } from '../models/record.ts';
import type { Contacts } from './contacts.ts';
import type { ConversationStanding } from './conversation-standing.ts';
import { conversationTitle } from './conversation-title.ts';
import { followRecord } from './follow-record.ts';
import type { Guests } from './guests.ts';
import type { HiddenRecords } from './hidden-records.ts';
import { toObjectId } from './object-id.ts';
import { recordTerms } from './record-terms.ts';
import { isDuplicateKey } from './store-failure.ts';
import { isDead, newLease, type ThisProcess } from './this-process.ts';

/** Turns of the conversation that an answerer is told, at most. */
const historyTurns = 10;
/** A stop waits this long for a process elsewhere to hear of it, in ms. */
const stopWithinMs = 5000;

/** A record whose answer can be read. */
export interface Asked {
  recordId: string;
  conversationId: string;
  clientId: string | null;
  /** Everything behind UTF-16 unit `from` of the answer, then its end; wherever it is being given. */
  follow(from: number, signal: AbortSignal): AsyncIterable<AnswerProgress>;
}

export interface Asking {
  /**
   * Puts a question; the answer begins at once and goes on without its readers. The same `clientId` and text join the record.
   *
   * @throws notFound('conversation'), ambiguousContact, conflict for a `clientId` that came with another text.
   */
  ask(owner: string, language: Language, question: ChatQuestion): Promise<Asked>;
  /** @throws notFound('record'), as do the others. */
  find(owner: string, recordId: string): Promise<Asked>;
  /** Ends the answer and keeps what was said. Returns the status the record has then. */
  stop(owner: string, recordId: string): Promise<RecordStatus>;
  /** Answers the record anew. While it is being answered this joins that answer. */
  retry(owner: string, language: Language, recordId: string): Promise<Asked>;
}

export function createAsking(deps: {
  models: Models;
  contacts: Contacts;
  hidden: HiddenRecords;
  standing: ConversationStanding;
  answerer: Answerer;
  running: RunningAnswers;
  guests: Guests;
  self: ThisProcess;
}): Asking {
  const { models, contacts, hidden, standing, answerer, running, guests, self } = deps;
  const { records, conversations } = models;

  const asked = (record: RecordDocument): Asked => ({
    recordId: record._id.toHexString(),
    conversationId: record.conversationId.toHexString(),
    clientId: record.clientId ?? null,
    follow: (from, signal) =>
      running.get(record._id.toHexString())?.log.follow(from, signal) ??
      followRecord({ records, self }, record._id, from, signal),
  });

  async function findRecord(owner: string, recordId: string): Promise<RecordDocument> {
    const _id = toObjectId(recordId, 'record');
    const record = await records
      .findOne({ _id, owner, erasedBy: null, ...(await hidden.notHidden(owner)) })
      .lean();
    if (!record) throw notFound('record');
    return record;
  }

  function begin(record: RecordDocument, history: Turn[]): Asked {
    const question: Question = {
      text: record.question,
      owner: record.owner,
      language: record.language,
      history,
    };
    running.start(record._id, (signal) => answerer.answer(question, signal));
    return asked(record);
  }

  async function historyBefore({ owner, conversationId, createdAt, _id }: RecordDocument): Promise<Turn[]> {
    const turns = await records
      .find(
        {
          owner,
          conversationId,
          erasedBy: null,
          createdAt: { $lte: createdAt },
          _id: { $ne: _id },
          status: { $in: ['done', 'stopped'] },
          ...(await hidden.notHidden(owner)),
        },
        { question: 1, answer: 1 },
      )
      .sort({ createdAt: -1, _id: -1 })
      .limit(historyTurns)
      .lean();
    return turns.reverse().map(({ question, answer }) => ({ question, answer }));
  }

  async function join(owner: string, clientId: string, text: string): Promise<Asked | null> {
    const record = await records.findOne({ owner, clientId }).lean();
    if (!record) return null;
    await findRecord(owner, record._id.toHexString());
    if (record.question !== text) throw conflict('conflict_client_id');
    return asked(record);
  }

  /**
   * The record is there first: a conversation that is erased meanwhile takes it back, and none is ever left without its records.
   * `into` is the conversation as it was before; null makes a new one.
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
      { $inc: { recordCount: 1 }, $set: { updatedAt: createdAt, contact } },
    );
    if (grown.matchedCount === 1) return;
    // It was counted anew in between, with or without this record, or renamed, or it is gone.
    const isThere = await conversations.exists({ _id: conversationId, owner, erasedBy: null });
    if (!isThere) await records.deleteOne({ _id });
    await standing.recount(owner, [conversationId]);
    if (!isThere) throw notFound('conversation');
  }

  return {
    async ask(owner, language, { text, contact, contactName, conversationId, clientId }) {
      if (clientId !== undefined) {
        const joined = await join(owner, clientId, text);
        if (joined) return joined;
      }
      const into =
        conversationId === undefined
          ? null
          : await standing.find(owner, toObjectId(conversationId, 'conversation'));
      if (!into && conversationId !== undefined) throw notFound('conversation');
      const who = await contacts.resolve(owner, contact, contactName);
      await guests.keep(owner);
      const record = newRecord({ owner, language, text, contact: who, conversationId, clientId }, self);
      const history = conversationId === undefined ? [] : await historyBefore(record);
      try {
        await place(record, into);
      } catch (cause) {
        const joined = isDuplicateKey(cause) && clientId !== undefined && (await join(owner, clientId, text));
        if (joined) return joined;
        throw cause;
      }
      await contacts.used(owner, who, record.createdAt);
      return begin(record, history);
    },

    async find(owner, recordId) {
      return asked(await findRecord(owner, recordId));
    },

    async stop(owner, recordId) {
      const record = await findRecord(owner, recordId);
      if (record.status !== 'answering') return record.status;
      const here = running.get(recordId);
      if (here) {
        here.stop();
        await here.saved;
      } else {
        await records.updateOne(
          { _id: record._id, owner, status: 'answering' },
          { $set: { stopRequested: true } },
        );
        await endOf(asked(record), AbortSignal.timeout(stopWithinMs));
      }
      return (await findRecord(owner, recordId)).status;
    },

    async retry(owner, language, recordId) {
      const record = await findRecord(owner, recordId);
      if (record.status === 'answering' && !isDead(record.lease, self)) return asked(record);
      const history = await historyBefore(record);
      await guests.keep(owner);
      const claimed = await records
        .findOneAndUpdate(
          {
            _id: record._id,
            owner,
            erasedBy: null,
            ...(await hidden.notHidden(owner)),
            status: record.status,
            'lease.process': record.lease?.process ?? null,
          },
          {
            $set: {
              status: 'answering',
              statusBefore: record.status === 'answering' ? 'failed' : record.status,
              begun: false,
              stopRequested: false,
              lease: newLease(self),
              language,
            },
          },
          { returnDocument: 'after' },
        )
        .lean();
      if (!claimed) return asked(await findRecord(owner, recordId));
      return begin(claimed, history);
    },
  };
}

function newRecord(
  given: {
    owner: string;
    language: Language;
    text: string;
    contact: Contact | null;
    conversationId: string | undefined;
    clientId: string | undefined;
  },
  self: ThisProcess,
): RecordDocument {
  const { owner, language, text, contact, conversationId, clientId } = given;
  const record: RecordDocument = {
    _id: new Types.ObjectId(),
    owner,
    conversationId: new Types.ObjectId(conversationId),
    contact,
    kind: 'chat',
    status: 'answering',
    language,
    question: text,
    answer: '',
    citations: [],
    source: 'none',
    isImage: false,
    url: '',
    imgUrls: [],
    files: [],
    feedback: null,
    suggestions: [],
    model: '',
    chosenModel: '',
    reasoning: '',
    answeredSince: null,
    isSummary: false,
    createdAt: new Date(),
    answeredAt: null,
    ...(clientId === undefined ? {} : { clientId }),
    erasedBy: null,
    lease: newLease(self),
    stopRequested: false,
    begun: false,
    statusBefore: null,
  };
  return { ...record, terms: recordTerms(record) };
}

async function endOf(asked: Asked, signal: AbortSignal): Promise<void> {
  for await (const progress of asked.follow(Number.MAX_SAFE_INTEGER, signal)) {
    if (progress.kind === 'end') return;
  }
}
