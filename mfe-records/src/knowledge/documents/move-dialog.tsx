import type { Collection } from 'api/contract/collections';
import type { DocumentChange, KnowledgeDocumentInfo } from 'api/contract/knowledge';
import type { HttpFailure } from 'host/contract';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';
import { useServices } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import { nameOf } from '../lib/collection-choice.tsx';

interface MoveDialogProps {
  document: KnowledgeDocumentInfo;
  collections: readonly Collection[];
  onClose(): void;
  onChanged(): void;
  /** It could not be moved because of another change, or for lack of permission. */
  onRefused(failure: HttpFailure): void;
}

/** Moves a document to another collection. */
export function MoveDialog({ document, collections, onClose, onChanged, onRefused }: MoveDialogProps) {
  const t = useTexts(knowledgeTexts);
  const { http, toasts } = useServices();
  const [collectionId, setCollectionId] = useState(document.collectionId ?? 'everyone');
  const { isBusy, failure, run } = useAction({
    onFailure: (refusal) => [403, 404].includes(refusal.status) && onRefused(refusal as HttpFailure),
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
      closeLabel={t('close')}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={() => void move()}
      cancelLabel={t('cancel')}
      action={t('move.save')}
    >
      <TextField
        label={t('collection')}
        choices={collections.filter(({ mayEdit }) => mayEdit).map((one) => [one.id, nameOf(one, t)])}
        value={collectionId}
        note={t('move.about')}
        fault={failure?.message}
        onText={setCollectionId}
      />
    </ActionDialog>
  );
}
