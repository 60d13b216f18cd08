import type { ContactDetails, ContactUndo } from 'api/contract/contacts';
import { asFailure } from 'host/ui/failure.ts';
import { RenameDialog } from '../lib/rename-dialog.tsx';
import type { ContactTranslate } from './contact-texts.ts';
import type { OpenContact } from './use-contact.ts';

interface RenameContactDialogProps {
  contact: ContactDetails;
  open: OpenContact;
  t: ContactTranslate;
  onClose(): void;
  onRenamed(undo: ContactUndo | undefined): void;
}

const MAX_LENGTH = 120;

/** A new name for a contact, in all of its records. */
export function RenameContactDialog({ contact, open, t, onClose, onRenamed }: RenameContactDialogProps) {
  const save = async (name: string) => {
    try {
      onRenamed((await open.change({ name })).undo);
    } catch (error) {
      // Saving again then replaces what was changed elsewhere, which the page shows now.
      if (asFailure(error).status === 409) await open.refresh();
      throw error;
    }
  };
  return (
    <RenameDialog
      texts={{
        title: t('rename.title'),
        label: t('rename.name'),
        about: t('rename.about'),
        save: t('rename.save'),
        cancel: t('cancel'),
        close: t('close'),
      }}
      name={contact.name}
      maxLength={MAX_LENGTH}
      onSave={save}
      onClose={onClose}
    />
  );
}
