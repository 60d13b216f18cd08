import { useQueryClient } from '@tanstack/react-query';
import type { ContactDetails, ContactUndo, ContactUndoReply } from 'api/contract/contacts';
import type { Deletion } from 'api/contract/deletions';
import { asFailure } from 'host/ui/failure.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { useNavigate } from 'react-router-dom';
import { contactAddress, contactLabel } from '../history/filters/contact-label.ts';
import { useDeletionToast } from '../history/use-deletion-toast.ts';
import { lateDialog } from '../lib/late-dialog.tsx';
import { RenameDialog } from '../lib/rename-dialog.tsx';
import { useServices } from '../lib/services.ts';
import { contactTexts, filterTexts } from '../lib/texts.ts';
import type { OpenContact } from './use-contact.ts';

const EraseDialog = lateDialog(
  async () => (await import('../history/erase-dialog.tsx')).EraseDialog,
  filterTexts,
);
const MergeDialog = lateDialog(async () => (await import('./merge-dialog.tsx')).MergeDialog);

export type OpenDialog = 'rename' | 'merge' | 'erase';

/** Maximum length of a name in UTF-16 units. */
const MAX_LENGTH = 120;

interface ContactDialogsProps {
  dialog: OpenDialog;
  contact: ContactDetails;
  open: OpenContact;
  onClose(): void;
}

/** The dialogs to rename and merge the contact, and to delete its records as on /history. */
export function ContactDialogs({ dialog, contact, open, onClose }: ContactDialogsProps) {
  const t = useTexts(contactTexts);
  const { http, storage, toasts } = useServices();
  const client = useQueryClient();
  const navigate = useNavigate();

  const showDeletion = useDeletionToast(() => void client.invalidateQueries());
  const undoChange = async ({ undoToken }: ContactUndo) => {
    try {
      const { data } = await http.post<ContactUndoReply>('/api/undo_contact', { undoToken });
      toasts.show({ kind: 'success', text: t('undo.done', { count: data.records }) });
      void client.invalidateQueries();
      if (data.contact) void navigate(contactAddress(data.contact.id), { replace: true });
    } catch (error) {
      toasts.show({ kind: 'error', text: asFailure(error).message });
    }
  };
  const undoAction = (undo: ContactUndo | undefined) =>
    undo && { action: { label: t('undo'), run: () => void undoChange(undo) } };
  const rename = async (name: string) => {
    try {
      const { undo } = await open.change({ name });
      toasts.show({ kind: 'success', text: t('renamed'), ...undoAction(undo) });
    } catch (error) {
      // The page now shows what was changed elsewhere. Saving again replaces it.
      if (asFailure(error).status === 409) await open.refresh();
      throw error;
    }
  };
  const onErased = (deletion: Deletion) => {
    onClose();
    showDeletion(deletion);
    void navigate(contactAddress(), { replace: true });
  };

  if (dialog === 'rename')
    return (
      <RenameDialog
        texts={{ title: t('rename.title'), label: t('rename.name'), about: t('rename.about') }}
        name={contact.name}
        maxLength={MAX_LENGTH}
        onSave={rename}
        onClose={onClose}
      />
    );
  if (dialog === 'merge')
    return (
      <MergeDialog
        contact={contact}
        onClose={onClose}
        onMerged={({ records, contact: into, undo: token }) => {
          onClose();
          const text = t('merge.done', { count: records, name: contactLabel(into) });
          toasts.show({ kind: 'success', text, ...undoAction(token) });
          storage.remove(`contacts/note/${contact.id}`);
          void client.invalidateQueries();
          void navigate(contactAddress(into.id), { replace: true });
        }}
      />
    );
  return (
    <EraseDialog
      by="contact"
      selected={null}
      contact={contact.id}
      from=""
      to=""
      onClose={onClose}
      onErased={onErased}
    />
  );
}
