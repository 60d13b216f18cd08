import type { DocumentChange, KnowledgeDocumentInfo } from 'api/contract/knowledge';
import { asFailure } from 'host/ui/failure.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { RenameDialog } from '../../lib/rename-dialog.tsx';
import { useServices } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import type { DialogContext } from '../lib/dialog-context.ts';

export interface RenameDocumentDialogProps
  extends Pick<DialogContext, 'onClose' | 'onChanged' | 'onRefused'> {
  document: KnowledgeDocumentInfo;
}

const MAX_LENGTH = 200;

export function RenameDocumentDialog({ document, onClose, onChanged, onRefused }: RenameDocumentDialogProps) {
  const t = useTexts(knowledgeTexts);
  const { http, toasts } = useServices();
  const save = async (title: string) => {
    if (title === '') throw new Error(t('rename.empty'));
    try {
      const body: DocumentChange = { title };
      await http.patch(`/api/knowledge/documents/${encodeURIComponent(document.id)}`, body);
    } catch (error) {
      const failure = asFailure(error);
      if (![403, 404].includes(failure.status)) throw failure;
      return onRefused(failure);
    }
    toasts.show({ kind: 'success', text: t('rename.done') });
    onChanged();
  };
  return (
    <RenameDialog
      texts={{
        title: t('rename'),
        label: t('rename.title'),
        about: t('rename.about'),
        save: t('rename.save'),
      }}
      name={document.title}
      maxLength={MAX_LENGTH}
      onSave={save}
      onClose={onClose}
    />
  );
}
