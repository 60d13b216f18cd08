import type { ContactDetails } from 'api/contract/contacts';
import type { HttpFailure, Toasts } from 'host/contract';
import { Dialog } from 'host/ui/dialog.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useId, useState } from 'react';
import type { ContactTranslate } from './contact-texts.ts';
import type { OpenContact } from './use-contact.ts';

interface RenameContactDialogProps {
  contact: ContactDetails;
  open: OpenContact;
  toasts: Toasts;
  t: ContactTranslate;
  onClose(): void;
}

const MAX_LENGTH = 120;

/** A new name for a contact, in all of its records. */
export function RenameContactDialog({ contact, open, toasts, t, onClose }: RenameContactDialogProps) {
  const fieldId = useId();
  const [name, setName] = useState(contact.name);
  const [isSaving, setIsSaving] = useState(false);
  const [message, setMessage] = useState('');
  const save = async () => {
    if (name.trim() === contact.name) return onClose();
    setIsSaving(true);
    try {
      await open.change({ name: name.trim() });
      toasts.show({ kind: 'success', text: t('rename.done') });
      onClose();
    } catch (error) {
      const failure = error as HttpFailure;
      // Saving again then replaces what was changed elsewhere, which the page shows now.
      if (failure.status === 409) await open.refresh();
      setIsSaving(false);
      setMessage(failure.message);
    }
  };
  return (
    <Dialog
      title={t('rename.title')}
      closeLabel={t('close')}
      isBusy={isSaving}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <>
          <button className="button" type="button" disabled={isSaving} onClick={onClose}>
            {t('cancel')}
          </button>
          <button className="button primary" type="submit" aria-disabled={isSaving}>
            {isSaving ? t('rename.saving') : t('rename.save')}
          </button>
        </>
      }
    >
      <div className="field">
        <label htmlFor={fieldId}>{t('rename.name')}</label>
        <input
          id={fieldId}
          className="input"
          value={name}
          maxLength={MAX_LENGTH}
          dir="auto"
          aria-invalid={message !== '' || undefined}
          aria-describedby={`${fieldId}-note`}
          onChange={({ target }) => setName(target.value)}
        />
        <p
          id={`${fieldId}-note`}
          className={`field-note ${message ? 'error' : ''}`}
          role={message ? 'alert' : undefined}
        >
          {message && <Icon name="alert" />}
          {message || t('rename.about')}
        </p>
      </div>
    </Dialog>
  );
}
