import { setTimeout } from 'node:timers/promises';
import type { Guests } from '../../accounts/guests.ts';
import type { ImportReply } from '../../contract/archives.ts';
import type { Language } from '../../contract/language.ts';
import { ApiError, importStopped } from '../../errors/errors.ts';
import { checkedItem } from '../../http/body.ts';
import { createWorkLimiter } from '../../http/concurrency-limiter.ts';
import { addNote } from '../contact-book/contact-notes.ts';
import type { Contacts } from '../contacts.ts';
import type { RecordModels } from '../record-models.ts';
import { ArchiveContact, ArchiveConversation, ArchiveRecord } from './archive-entries.ts';
import { createImportedConversations } from './imported-conversations.ts';
import { createImportedRecords } from './imported-records.ts';
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
