import type { DocumentChange, KnowledgeDocumentInfo } from 'api/contract/knowledge';
import { useTexts } from 'host/ui/screen.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';
import { ActionDialog } from '../../lib/dialogs.tsx';
import { useServices } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import { nameOf } from '../lib/collection-choice.tsx';
import type { DialogContext } from '../lib/dialog-context.ts';

export interface MoveDialogProps extends Pick<DialogContext, 'list' | 'onClose' | 'onChanged' | 'onRefused'> {
  document: KnowledgeDocumentInfo;
}

/** Moves a document to another collection. */
export function MoveDialog({ document, list, onClose, onChanged, onRefused }: MoveDialogProps) {
  const t = useTexts(knowledgeTexts);
  const { http, toasts } = useServices();
  const [collectionId, setCollectionId] = useState(document.collectionId ?? 'everyone');
  const { isBusy, failure, run } = useAction({
    onFailure: (refusal) => [403, 404].includes(refusal.status) && onRefused(refusal),
  });
  const move = () =>
    run(async () => {
      const body: DocumentChange = { collectionId };
      await http.patch(`/api/knowledge/documents/${encodeURIComponent(document.id)}`, body);
      toasts.show({ kind: 'success', text: t('move.done') });
      onChanged();
      onClose();
    });
  return (
    <ActionDialog
      title={t('move.of', { name: document.title })}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={() => void move()}
      action={t('move.save')}
    >
      <TextField
        label={t('collection')}
        choices={list.collections.filter(({ mayEdit }) => mayEdit).map((one) => [one.id, nameOf(one, t)])}
        value={collectionId}
        note={t('move.about')}
        fault={failure?.message}
        onText={setCollectionId}
      />
    </ActionDialog>
  );
}
