import type { ContactDetails } from 'api/contract/contacts';
import type { Storage } from 'host/contract';
import { asFailure } from 'host/ui/failure.ts';
import { useState } from 'react';
import type { OpenContact } from './use-contact.ts';

/** Maximum length of a note, in UTF-16 units. */
export const MAX_NOTE = 2000;

/** A text that is not saved, and the saved note that it was written from. */
interface Draft {
  text: string;
  base: string;
}

type Saving = { status: 'idle' | 'saving' | 'saved' } | { status: 'failed'; message: string };

/**
 * The note of a contact while it is edited. What is not saved is stored in this browser, so that a failure, a conflict or leaving the page
 * does not lose it.
 */
export function useNote(storage: Storage, contact: ContactDetails, { change, refresh }: OpenContact) {
  const key = `contacts/note/${contact.id}`;
  const [draft, setDraft] = useState<Draft | null>(() => storage.get<Draft>(key) ?? null);
  const [isRestored, setIsRestored] = useState(draft !== null);
  const [saving, setSaving] = useState<Saving>({ status: 'idle' });
  const text = draft?.text ?? contact.note;
  const isChanged = draft !== null && draft.text.trim() !== contact.note;

  const keep = (next: Draft | null) => {
    if (next) storage.set(key, next);
    else storage.remove(key);
    setDraft(next);
  };

  return {
    text,
    saving,
    isChanged,
    isRestored: isRestored && isChanged,
    isTooLong: text.trim().length > MAX_NOTE,
    /** The note was changed elsewhere since the draft was begun. */
    isConflict: isChanged && draft.base !== contact.note,
    write(next: string) {
      keep({ text: next, base: draft?.base ?? contact.note });
      setIsRestored(false);
      if (saving.status !== 'saving') setSaving({ status: 'idle' });
    },
    discard() {
      keep(null);
      setSaving({ status: 'idle' });
    },
    /** Decides a conflict for the draft: saving replaces the other note. */
    keepMine() {
      keep({ text, base: contact.note });
      setSaving({ status: 'idle' });
    },
    async save() {
      const sent = text;
      setSaving({ status: 'saving' });
      try {
        const { note } = await change({ note: sent.trim() });
        setDraft((now) => {
          // It may have been continued meanwhile.
          const next = now && now.text !== sent ? { text: now.text, base: note } : null;
          if (next) storage.set(key, next);
          else storage.remove(key);
          return next;
        });
        setIsRestored(false);
        setSaving({ status: 'saved' });
      } catch (error) {
        const { status, message } = asFailure(error);
        if (status === 409) await refresh();
        setSaving({ status: 'failed', message });
      }
    },
  };
}
