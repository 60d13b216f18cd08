import { setTimeout } from 'node:timers/promises';
import { type AnyBulkWriteOperation, Types } from 'mongoose';
import type { Guests } from '../../accounts/guests.ts';
import type { ImportReply } from '../../contract/archives.ts';
import type { Language } from '../../contract/language.ts';
import type { DeskRecord } from '../../contract/records.ts';
import { ApiError, importStopped } from '../../errors/errors.ts';
import { checkedItem } from '../../http/body.ts';
import { createWorkLimiter } from '../../http/concurrency-limiter.ts';
import { isDuplicateKey } from '../../store/store-failure.ts';
import { createYielder } from '../../store/yield-to-event-loop.ts';
import { addNote } from '../contact-book/contact-notes.ts';
import type { Contacts } from '../contacts.ts';
import type { RecordDocument } from '../record.ts';
import type { RecordModels } from '../record-models.ts';
import { recordTerms } from '../search/record-terms.ts';
import { createCountedDays } from '../statistics/counted-days.ts';
import { ArchiveContact, ArchiveConversation, ArchiveRecord } from './archive-entries.ts';
import { createImportedConversations, type ImportedConversations } from './imported-conversations.ts';
import { createIdMap, idsToLookUp, type Planned, planRecord } from './plan-import.ts';
import { readArchive, recordArchive } from './read-archive.ts';

/**
 * Maximum UTF-16 units of all notes in one archive: they precede the records and are held in memory until the
 * records are imported.
 */
const maxHeld = 20_000_000;

function createImportedContacts(models: RecordModels, owner: string) {
  const notes = new Map<string, string>();
  let held = 0;
  return {
    /** Remembers the note of a contact. @throws tooLarge */
    add({ id, note }: { id: string; note: string }): void {
      if (id === '' || note === '') return;
      notes.set(id, note);
      held += id.length + note.length;
      if (held > maxHeld) throw new ApiError('too_large');
    },
    /** For contacts that have records after the import. A different note is added to the existing one. */
    async settle(): Promise<void> {
      for (const [contactId, note] of notes)
        if (await models.contacts.exists({ owner, contactId })) await addNote(models, owner, contactId, note);
    },
  };
}

/**
 * Limits of a slice by number of records and units of text, so that one write blocks the store's thread only
 * briefly. The first slices are small because code is slow before it is optimised.
 */
const sliceAfter = (received: number) => ({
  records: Math.min(50, 4 + Math.floor(received / 4)),
  text: Math.min(30_000, 2000 + 100 * received),
});

/** Maximum time to wait for a running deletion, in ms. */
const maxWaitMs = 30_000;

export function createImporting(deps: {
  models: RecordModels;
  contacts: Pick<Contacts, 'recount'>;
  guests: Pick<Guests, 'ensureStored'>;
  /** Updates which files are used for answers: imported records may restore deleted ones. */
  hideFiles(owner: string): Promise<void>;
}) {
  const { models, contacts, guests, hideFiles } = deps;
  const limitImports = createWorkLimiter(1);

  /** Waits for running deletions, which must not mark records that are being imported. */
  async function deletionsAreOver(owner: string): Promise<void> {
    for (const start = Date.now(); await models.deletions.exists({ owner, state: 'erasing' }); ) {
      if (Date.now() - start > maxWaitMs) throw new ApiError('unavailable', { retryAfter: 10 });
      await setTimeout(100);
    }
  }

  async function takeAll(owner: string, language: Language, archive: AsyncIterable<Uint8Array>) {
    const reply: ImportReply = { imported: 0, unchanged: 0, renamed: 0 };
    const conversations = createImportedConversations(models, owner);
    const people = createImportedContacts(models, owner);
    const records = createImportedRecords({ models, conversations, contacts, owner, language, reply });
    let received = 0;
    try {
      for await (const { list, field, value } of readArchive(archive, recordArchive)) {
        if (list === 'conversations') await conversations.add(checkedItem(ArchiveConversation, value, field));
        else if (list === 'contacts') people.add(checkedItem(ArchiveContact, value, field));
        else await records.add(checkedItem(ArchiveRecord, value, field), sliceAfter(received++));
      }
      await records.flush();
      await conversations.flush();
      return reply;
    } catch (cause) {
      const taken = reply.imported;
      throw cause instanceof ApiError && taken > 0 ? importStopped(cause, taken) : cause;
    } finally {
      await conversations.settle();
      await records.settle();
      await people.settle();
      if (reply.imported > 0) await hideFiles(owner);
    }
  }

  return {
    /**
     * Imports an archive as a stream, slice by slice. Each slice is applied completely; an error ends the
     * import there and reports how many records were imported. Importing the same archive again changes
     * nothing.
     * @throws invalidRequest with the path of the field (`records.17.question`), tooLarge, rate_limited if the
     * owner already runs an import, unavailable if a deletion of the owner's takes too long.
     */
    take: (owner: string, language: Language, archive: AsyncIterable<Uint8Array>): Promise<ImportReply> =>
      limitImports(owner, async () => {
        await guests.ensureStored(owner);
        await deletionsAreOver(owner);
        return takeAll(owner, language, archive);
      }),
  };
}

type Content = Omit<RecordDocument, '_id' | 'owner' | 'language' | 'clientId' | 'terms'> & {
  terms: string[];
};
type Write = AnyBulkWriteOperation<RecordDocument>;

/** Maximum number of index entries per write, since they block the store. */
const termsPerWrite = 1000;

/** Contacts updated per batch. */
const contactsPerBatch = 200;

const maxAttempts = 4;

/** `reply` is updated after every slice. */
function createImportedRecords(deps: {
  models: RecordModels;
  conversations: ImportedConversations;
  contacts: Pick<Contacts, 'recount'>;
  owner: string;
  language: Language;
  reply: ImportReply;
}) {
  const { models, conversations, contacts, owner, language, reply } = deps;
  const countedDays = createCountedDays(models);
  const yieldToEventLoop = createYielder();
  const touched = new Set<string>();
  const waiting = new Map<string, DeskRecord>();
  let text = 0;

  async function plan(): Promise<Planned[]> {
    const named = [...waiting.values()].flatMap(({ id, versionOf }) => [id, versionOf?.recordId ?? id]);
    const found = await models.records.find({ _id: { $in: idsToLookUp(owner, named) } }).lean();
    const own = new Map(
      found.filter((one) => one.owner === owner).map((one) => [one._id.toHexString(), one]),
    );
    const ofConversation = await conversations.idMap([...waiting.values()].map((one) => one.conversationId));
    const ids = { of: createIdMap(owner, found), ofConversation };
    return [...waiting.values()].map((record) => planRecord(record, ids, (id) => own.get(id)));
  }

  /** Returns false if a concurrent write prevented part of it. */
  async function write(planned: Planned[]): Promise<boolean> {
    let isWhole = true;
    let operations: Write[] = [];
    let terms = 0;
    for (const { outcome, wanted, before } of planned) {
      if (outcome === 'unchanged') continue;
      const content = contentOf(wanted);
      operations.push(before ? replaced(before, content) : inserted(wanted.id, content));
      terms += content.terms.length;
      await yieldToEventLoop();
      if (terms < termsPerWrite) continue;
      isWhole = (await writeSome(operations)) && isWhole;
      operations = [];
      terms = 0;
    }
    return (await writeSome(operations)) && isWhole;
  }

  async function writeSome(operations: Write[]): Promise<boolean> {
    if (operations.length === 0) return true;
    try {
      const { matchedCount, insertedCount } = await models.records.bulkWrite(operations, { ordered: false });
      return matchedCount + insertedCount === operations.length;
    } catch (cause) {
      if (isDuplicateKey(cause)) return false;
      throw cause;
    }
  }

  function inserted(id: string, content: Content): Write {
    return { insertOne: { document: { _id: new Types.ObjectId(id), owner, language, ...content } } };
  }

  /** Replaces the record only if it is unchanged since it was read. */
  function replaced({ _id, erasedBy, status, inbox, ...before }: RecordDocument, content: Content): Write {
    // It may no longer belong in the inbox.
    const due = inbox === undefined ? {} : { inboxDue: true as const };
    // Retries depend on it, and archives do not contain it.
    const isSummary = before.isSummary && before.question === content.question;
    const kept = { chosenModel: before.chosenModel ?? '', isSummary };
    const update = { $set: { ...content, ...kept, ...due } };
    return { updateOne: { filter: { _id, owner, erasedBy, status }, update } };
  }

  async function flush(): Promise<void> {
    if (waiting.size === 0) return;
    let outcomes: Planned[] = [];
    for (let tries = 1; ; tries += 1) {
      const planned = await plan();
      // Records written by an earlier attempt are reported by the first plan: they look unchanged now.
      if (tries === 1) outcomes = planned;
      const isWritten = await write(planned);
      const isHeld = await conversations.hold(planned, tries === 1);
      if (isWritten && isHeld) break;
      if (tries === maxAttempts) throw new ApiError('conflict');
    }
    // The day that a record leaves has no mark of it.
    const left = outcomes.flatMap(({ wanted, before }) =>
      before && before.createdAt.toISOString() !== wanted.createdAt ? [before] : [],
    );
    await countedDays.recount(owner, left);
    for (const { outcome, wanted, before } of outcomes) {
      reply[outcome] += 1;
      if (outcome === 'unchanged') continue;
      for (const contact of [wanted.contact, before?.contact]) if (contact) touched.add(contact.id);
    }
    waiting.clear();
    text = 0;
    if (touched.size >= contactsPerBatch) await settle();
  }

  /** Updates everything derived from the records, also after an error. */
  async function settle(): Promise<void> {
    if (touched.size === 0) return;
    const ids = [...touched];
    touched.clear();
    await contacts.recount(owner, ids);
  }

  return {
    /** Adds a validated record; writes when a slice is full. */
    async add(record: DeskRecord, slice: { records: number; text: number }): Promise<void> {
      const size = record.question.length + record.answer.length;
      const isFull = waiting.size >= slice.records || text + size > slice.text;
      if (isFull || waiting.has(record.id)) await flush();
      waiting.set(record.id, record);
      text += size;
      await yieldToEventLoop();
    },
    flush,
    settle,
  };
}

/** The stored fields of an imported record, except its id, owner and language. */
export function contentOf(wanted: DeskRecord): Content {
  const { id: _id, conversationId, createdAt, answerStartedAt, answeredAt, versionOf, ...rest } = wanted;
  return {
    ...rest,
    chosenModel: '',
    isSummary: false,
    conversationId: new Types.ObjectId(conversationId),
    createdAt: new Date(createdAt),
    versionOf: versionOf
      ? {
          ...versionOf,
          recordId: new Types.ObjectId(versionOf.recordId),
          createdAt: new Date(versionOf.createdAt),
        }
      : null,
    answerStartedAt: answerStartedAt ? new Date(answerStartedAt) : null,
    answeredAt: answeredAt === null ? null : new Date(answeredAt),
    erasedBy: null,
    lease: null,
    stopRequested: false,
    begun: true,
    statusBefore: null,
    terms: recordTerms(wanted),
  };
}
