import { ApiError } from '../../errors/errors.ts';
import { addNote } from '../contact-book/contact-notes.ts';
import type { RecordModels } from '../record-models.ts';

/** Maximum units of all notes in one archive: they precede the records and are held in memory until these are imported. */
const maxHeld = 20_000_000;

export function createImportedContacts(models: RecordModels, owner: string) {
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
    /**
     * Adds the notes to contacts that have records, after these were imported. A note that differs from the existing one
     * is added to it.
     */
    async settle(): Promise<void> {
      for (const [contactId, note] of notes)
        if (await models.contacts.exists({ owner, contactId })) await addNote(models, owner, contactId, note);
    },
  };
}
