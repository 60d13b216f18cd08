import type { ContactDetails } from 'api/contract/contacts';
import type { HostServices } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { grouped } from 'host/ui/grouped.ts';
import { Icon } from 'host/ui/icon.tsx';
import { useHold } from 'host/ui/use-hold.ts';
import { useEffect, useId, useRef } from 'react';
import styles from './contact-page.module.css';
import type { ContactTranslate } from './contact-texts.ts';
import type { OpenContact } from './use-contact.ts';
import { MAX_NOTE, useNote } from './use-note.ts';

interface NoteEditorProps {
  services: Pick<HostServices, 'storage' | 'updates'>;
  contact: ContactDetails;
  open: OpenContact;
  t: ContactTranslate;
  /** Called when there is something unsaved, and when there is no more. */
  onChanged(isChanged: boolean): void;
}

/** From this share of its maximum length on, the length of the note is shown. */
const NEARLY = 0.9;

/** The note of a contact, with its save state. */
export function NoteEditor({ services, contact, open, t, onChanged }: NoteEditorProps) {
  const { storage, updates } = services;
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
        <div className={styles.conflict} role="alert">
          <p>{t(contact.note ? 'note.conflict' : 'note.conflict.empty')}</p>
          {contact.note && <blockquote dir="auto">{contact.note}</blockquote>}
          <div className={styles.row}>
            <Button look="small" label={t('note.conflict.mine')} onClick={andFocus(note.keepMine)} />
            <Button look="small" label={t('note.conflict.theirs')} onClick={andFocus(note.discard)} />
          </div>
        </div>
      )}
      <textarea
        id={id}
        ref={field}
        className={`input ${styles.field}`}
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
      <div className={styles.row}>
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
