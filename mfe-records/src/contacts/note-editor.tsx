import type { ContactDetails } from 'api/contract/contacts';
import { Button } from 'host/ui/button.tsx';
import { grouped } from 'host/ui/grouped.ts';
import { Icon } from 'host/ui/icon.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useHold } from 'host/ui/use-hold.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { useDesk, useServices } from '../lib/services.ts';
import { contactTexts } from '../lib/texts.ts';
import styles from './contact-page.module.css';
import type { OpenContact } from './use-contact.ts';

interface NoteEditorProps {
  contact: ContactDetails;
  open: OpenContact;
  /** Called when the note has unsaved changes, and when it has none any more. */
  onChanged(isChanged: boolean): void;
}

/** From this share of its maximum length on, the length of the note is shown. */
const NEARLY = 0.9;

/** The note of a contact, with its save state. */
export function NoteEditor({ contact, open, onChanged }: NoteEditorProps) {
  const { t, updates } = useDesk(contactTexts);
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const note = useNote(contact, open);
  const { text, isSaving, failure, isChanged, isConflict, isTooLong } = note;
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
          className={`field-note ${isTooLong || failure ? 'error' : ''} ${styles.state}`}
        >
          {stateText()}
        </p>
        {isChanged && <Button look="small bare" label={t('note.discard')} onClick={andFocus(note.discard)} />}
        <Button
          look="small primary"
          label={isSaving ? t('saving') : t('note.save')}
          aria-disabled={!canSave}
          onClick={save}
        />
      </div>
    </section>
  );

  function stateText() {
    if (isTooLong) return t('note.tooLong', length);
    if (failure)
      return (
        <>
          <Icon name="alert" />
          {t('note.failed', { message: failure.message })}
        </>
      );
    if (isChanged) return t(note.isRestored ? 'note.restored' : 'note.unsaved');
    return t(note.isSaved ? 'note.saved' : 'note.about');
  }
}

/** Maximum length of a note, in UTF-16 units. */
const MAX_NOTE = 2000;

/** A text that is not saved, and the saved note that it was written from. */
interface Draft {
  text: string;
  base: string;
}

/**
 * The note of a contact while it is edited. Unsaved text is stored in this browser, so that a failure, a conflict or leaving the page does
 * not lose it.
 */
function useNote(contact: ContactDetails, { change, refresh }: OpenContact) {
  const { storage } = useServices();
  const key = `contacts/note/${contact.id}`;
  const [draft, setDraft] = useState<Draft | null>(() => storage.get<Draft>(key) ?? null);
  const [isRestored, setIsRestored] = useState(draft !== null);
  const [isSaved, setIsSaved] = useState(false);
  const { isBusy, failure, run, clear } = useAction({
    onFailure: ({ status }) => status === 409 && refresh(),
  });
  const text = draft?.text ?? contact.note;
  const isChanged = draft !== null && draft.text.trim() !== contact.note;
  /** The note was changed elsewhere since the draft was begun. */
  const isConflict = isChanged && draft.base !== contact.note;

  const store = (next: Draft | null) => {
    if (next) storage.set(key, next);
    else storage.remove(key);
    return next;
  };
  const keep = (next: Draft | null) => {
    setDraft(store(next));
    setIsSaved(false);
    clear();
  };
  return {
    text,
    isSaving: isBusy,
    isSaved,
    failure: isBusy || isConflict ? null : failure,
    isChanged,
    isRestored: isRestored && isChanged,
    isTooLong: text.trim().length > MAX_NOTE,
    isConflict,
    write(next: string) {
      keep({ text: next, base: draft?.base ?? contact.note });
      setIsRestored(false);
    },
    discard: () => keep(null),
    /** Decides a conflict for the draft: saving replaces the other note. */
    keepMine: () => keep({ text, base: contact.note }),
    save: () =>
      run(async () => {
        const { note } = await change({ note: text.trim() });
        // The visitor may have continued to type meanwhile.
        setDraft((now) => store(now && now.text !== text ? { text: now.text, base: note } : null));
        setIsRestored(false);
        setIsSaved(true);
      }),
  };
}
