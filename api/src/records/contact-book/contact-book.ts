import type { Logger } from 'pino';
import type { ContactChange, ContactDetails, ContactMergeReply } from '../../contract/contacts.ts';
import { conflict, invalidRequest, notFound } from '../../errors/errors.ts';
import { isDuplicateKey } from '../../store/store-failure.ts';
import { within } from '../../store/within.ts';
import { contactId, contactName } from '../contact-id.ts';
import type { RecordModels } from '../record-models.ts';
import type { ContactCardDocument } from './contact-card.ts';
import type { ContactChanges } from './contact-changes.ts';
import type { ContactReader } from './contact-details.ts';

/** Reads, changes and merges an owner's contacts. All methods throw notFound('contact'). */
export interface ContactBook extends Pick<ContactReader, 'list'> {
  find(owner: string, written: string): Promise<ContactDetails>;
  /** @throws conflict if `revision` is not the current one. */
  change(owner: string, written: string, change: ContactChange): Promise<ContactDetails>;
  /**
   * Repeating it is harmless. @throws invalidRequest('into') for the same contact, conflict if one of them is being
   * merged with another.
   */
  merge(owner: string, written: string, into: string, dryRun: boolean): Promise<ContactMergeReply>;
  /** Finishes what a crash or another process left unfinished. */
  resume(): Promise<void>;
}

/** Maximum response time of a rename or merge in ms: a large one continues in the background. */
const answerWithinMs = 10_000;

export function createContactBook(deps: {
  models: Pick<RecordModels, 'contactCards'>;
  reader: ContactReader;
  changes: ContactChanges;
  log: Pick<Logger, 'warn'>;
}): ContactBook {
  const { models, reader, changes, log } = deps;
  const { contactCards: cards } = models;

  /** Errors are logged: `resume` continues. */
  async function finish(owner: string, id: string): Promise<void> {
    const finished = changes.finish(owner, id).catch((cause: unknown) => {
      log.warn({ err: cause }, 'the change of a contact was interrupted and will be continued');
    });
    await within(answerWithinMs, finished);
  }

  async function readOr404(owner: string, id: string): Promise<ContactDetails> {
    const contact = await reader.read(owner, id);
    if (!contact) throw notFound('contact');
    return contact;
  }

  /** The merge is decided once this resolves. */
  async function decideMerge(owner: string, from: ContactDetails, into: ContactDetails): Promise<void> {
    const { id } = from;
    const change = { id: into.id, name: into.name || from.name };
    try {
      await cards.updateOne(
        { owner, contactId: id, 'change.id': { $exists: false } },
        { $set: { change }, $setOnInsert: { note: '', revision: 0, isErased: false, mergedInto: '' } },
        { upsert: true },
      );
    } catch (cause) {
      if (!isDuplicateKey(cause)) throw cause;
      const there = await cards.findOne({ owner, contactId: id }).lean();
      if (there?.change?.id !== into.id) throw conflict();
      return;
    }
    // Two merges of the same contacts in opposite directions would never end. Both check after their decision.
    const others = [
      { owner, contactId: into.id, 'change.id': { $exists: true } },
      { owner, 'change.id': id, contactId: { $ne: id } },
    ];
    for (const other of others) {
      if (!(await cards.exists(other))) continue;
      await cards.updateOne({ owner, contactId: id, 'change.id': into.id }, { $unset: { change: 1 } });
      throw conflict();
    }
  }

  return {
    list: reader.list,

    find: (owner, written) => reader.find(owner, contactId(written)),

    async change(owner, written, { name, note, revision }) {
      const id = contactId(written);
      await finish(owner, id);
      const there = await readOr404(owner, id);
      const renamed = name === undefined ? there.name : contactName(name);
      const set: Partial<ContactCardDocument> = {
        mergedInto: '',
        ...(note === undefined ? {} : { note, isErased: false }),
        ...(renamed === there.name ? {} : { change: { id, name: renamed } }),
      };
      const expected = { owner, contactId: id, revision, 'change.id': { $exists: false } };
      try {
        const upsert = revision === 0;
        const written = await cards.updateOne(expected, { $set: set, $inc: { revision: 1 } }, { upsert });
        if (written.matchedCount + written.upsertedCount === 0) throw conflict('conflict_contact');
      } catch (cause) {
        throw isDuplicateKey(cause) ? conflict('conflict_contact') : cause;
      }
      await finish(owner, id);
      return readOr404(owner, id);
    },

    async merge(owner, written, intoWritten, dryRun) {
      const [id, intoId] = [contactId(written), contactId(intoWritten)];
      if (id === intoId) throw invalidRequest('into');
      const from = await reader.read(owner, id);
      const into = await readOr404(owner, intoId);
      if (!from) {
        const card = await cards.findOne({ owner, contactId: id }).lean();
        if (card?.mergedInto !== intoId) throw notFound('contact');
        return { records: 0, conversations: 0, contact: into };
      }
      const counts = { records: from.recordCount, conversations: from.conversationCount };
      if (dryRun) return { ...counts, contact: into };
      await decideMerge(owner, from, into);
      await finish(owner, id);
      return { ...counts, contact: await readOr404(owner, intoId) };
    },

    resume: () => changes.finishAll(),
  };
}
