import type { ContactDetails } from 'api/contract/contacts';
import type { Storage } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { grouped } from 'host/ui/grouped.ts';
import { Icon } from 'host/ui/icon.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { useHold } from 'host/ui/use-hold.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { useServices } from '../lib/services.ts';
import { contactTexts } from '../lib/texts.ts';
import styles from './contact-page.module.css';
import type { OpenContact } from './use-contact.ts';

interface NoteEditorProps {
  contact: ContactDetails;
  open: OpenContact;
  /** Called when there is something unsaved, and when there is no more. */
  onChanged(isChanged: boolean): void;
}

/** From this share of its maximum length on, the length of the note is shown. */
const NEARLY = 0.9;

/** The note of a contact, with its save state. */
export function NoteEditor({ contact, open, onChanged }: NoteEditorProps) {
  const t = useTexts(contactTexts);
  const { storage, updates } = useServices();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const note = useNote(storage, contact, open);
  const { text, saving, isChanged, isConflict, isTooLong } = note;
  const isSaving = saving.status === 'saving';
  const canSave = isChanged && !isConflict && !isTooLong && !isSaving;
  useHold(updates, isChanged);
  useEffect(() => onChanged(isChanged), [isChanged, onChanged]);
  const save = () => {
    if (canSave) void note.save();
    else field.current?.focus();
  };
  const andFocus = (run: () => void) => () => {
    run();
    field.current?.focus();
  };
  const isFailed = saving.status === 'failed' && !isConflict;
  const count = text.trim().length;
  const length = { count: grouped(count), max: grouped(MAX_NOTE) };

  return (
    <section className={`section ${styles.note}`} aria-labelledby={`${id}-title`}>
      <div className="section-head">
        <h2 id={`${id}-title`}>
          <label htmlFor={id}>{t('note')}</label>
        </h2>
        {count > MAX_NOTE * NEARLY && !isTooLong && (
          <span className="quiet num end">{t('note.length', length)}</span>
        )}
      </div>
      {isConflict && (
        <div className={`well mb-s3 type-small ${styles.conflict}`} role="alert">
          <p>{t(contact.note ? 'note.conflict' : 'note.conflict.empty')}</p>
          {contact.note && (
            <blockquote className="scroll mt-s2 verbatim" dir="auto">
              {contact.note}
            </blockquote>
          )}
          <div className="line wrap to-end mt-s2">
            <Button look="small" label={t('note.conflict.mine')} onClick={andFocus(note.keepMine)} />
            <Button look="small" label={t('note.conflict.theirs')} onClick={andFocus(note.discard)} />
          </div>
        </div>
      )}
      <textarea
        id={id}
        ref={field}
        className="input"
        rows={6}
        dir="auto"
        value={text}
        aria-invalid={isTooLong || undefined}
        aria-describedby={`${id}-state`}
        onChange={({ target }) => note.write(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
        }}
      />
      <div className="line wrap to-end mt-s2">
        <p
          id={`${id}-state`}
          role="status"
          className={`field-note ${isTooLong || isFailed ? 'error' : ''} ${styles.state}`}
        >
          {stateText()}
        </p>
        {isChanged && <Button look="small bare" label={t('note.discard')} onClick={andFocus(note.discard)} />}
        <Button
          look="small primary"
          label={isSaving ? t('note.saving') : t('note.save')}
          aria-disabled={!canSave}
          onClick={save}
        />
      </div>
    </section>
  );

  function stateText() {
    if (isTooLong) return t('note.tooLong', length);
    if (saving.status === 'failed' && isFailed)
      return (
        <>
          <Icon name="alert" />
          {t('note.failed', { message: saving.message })}
        </>
      );
    if (isChanged) return t(note.isRestored ? 'note.restored' : 'note.unsaved');
    return saving.status === 'saved' ? t('note.saved') : t('note.about');
  }
}

/** Maximum length of a note, in UTF-16 units. */
const MAX_NOTE = 2000;

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
function useNote(storage: Storage, contact: ContactDetails, { change, refresh }: OpenContact) {
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
