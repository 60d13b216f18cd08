import type { DocumentChange, KnowledgeDocumentInfo } from 'api/contract/knowledge';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';
import { RenameDialog } from '../../lib/rename-dialog.tsx';
import { useServices } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import { nameOf } from '../lib/collection-choice.tsx';
import type { DialogContext } from '../lib/dialog-context.ts';

export interface DocumentDialogProps
  extends Pick<DialogContext, 'list' | 'onClose' | 'onChanged' | 'onRefused'> {
  document: KnowledgeDocumentInfo;
}

const MAX_LENGTH = 200;

export function RenameDocumentDialog(props: DocumentDialogProps) {
  const t = useTexts(knowledgeTexts);
  const change = useDocumentChange(props, t('renamed'));
  const save = async (title: string) => {
    if (title === '') throw new Error(t('rename.empty'));
    await change({ title });
  };
  return (
    <RenameDialog
      texts={{ title: t('rename'), label: t('rename.title'), about: t('rename.about') }}
      name={props.document.title}
      maxLength={MAX_LENGTH}
      onSave={save}
      onClose={props.onClose}
    />
  );
}

/** Moves a document to another collection. */
export function MoveDialog(props: DocumentDialogProps) {
  const t = useTexts(knowledgeTexts);
  const { document, list, onClose } = props;
  const [collectionId, setCollectionId] = useState(document.collectionId ?? 'everyone');
  const { isBusy, failure, run } = useAction();
  const change = useDocumentChange(props, t('move.done'));
  const move = async () => {
    if (await run(() => change({ collectionId }))) onClose();
  };
  return (
    <ActionDialog
      title={t('move.of', { name: document.title })}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={move}
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

/** Changes the document and says that it is `done`. */
function useDocumentChange({ document, onChanged, onRefused }: DocumentDialogProps, done: string) {
  const { http, toasts } = useServices();
  return async (change: DocumentChange) => {
    try {
      await http.patch(`/api/knowledge/documents/${encodeURIComponent(document.id)}`, change);
    } catch (error) {
      const failure = asFailure(error);
      if (![403, 404].includes(failure.status)) throw failure;
      return onRefused(failure);
    }
    toasts.show({ kind: 'success', text: done });
    onChanged();
  };
}
