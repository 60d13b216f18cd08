import type { CollectionList } from 'api/contract/collections';
import type { KnowledgeDocumentInfo, KnowledgePair } from 'api/contract/knowledge';
import type { HttpFailure } from 'host/contract';
import { lateDialog } from '../lib/late-dialog.tsx';
import { SourceDialog } from '../lib/source-dialog-part.ts';

export type OpenDialog =
  | { kind: 'pair'; pair: KnowledgePair | null }
  | { kind: 'delete-pair'; pair: KnowledgePair }
  | { kind: 'delete-document'; document: KnowledgeDocumentInfo }
  | { kind: 'publish-document'; document: KnowledgeDocumentInfo }
  | { kind: 'rename-document'; document: KnowledgeDocumentInfo }
  | { kind: 'source'; document: KnowledgeDocumentInfo }
  | { kind: 'try'; draft?: KnowledgeDocumentInfo }
  | { kind: 'golden'; question: string }
  | { kind: 'move-document'; document: KnowledgeDocumentInfo }
  | { kind: 'collections' }
  | { kind: 'import' };

interface KnowledgeDialogsProps {
  dialog: OpenDialog | null;
  /** Whether the visitor may change what is in its collection. */
  mayEdit(one: Pick<KnowledgePair, 'collectionId'>): boolean;
  /** undefined while unknown. */
  collections: CollectionList | undefined;
  /** Id of the chosen collection; '' for all. */
  collection: string;
  onCollections(list: CollectionList): void;
  tell(failure: HttpFailure): void;
  onOpen(dialog: OpenDialog): void;
  onClose(): void;
  onChanged(): void;
  onDeleted(id: string): void;
}

const PairDialog = lateDialog(async () => (await import('./pairs/pair-dialog.tsx')).PairDialog);
const PairViewDialog = lateDialog(async () => (await import('./pairs/pair-view-dialog.tsx')).PairViewDialog);
const DeleteDialog = lateDialog(async () => (await import('./changes/delete-dialog.tsx')).DeleteDialog);
const RenameDocumentDialog = lateDialog(
  async () => (await import('./documents/rename-document-dialog.tsx')).RenameDocumentDialog,
);
const MoveDialog = lateDialog(async () => (await import('./documents/move-dialog.tsx')).MoveDialog);
const CollectionsDialog = lateDialog(
  async () => (await import('./collections-dialog.tsx')).CollectionsDialog,
);
const PublishDialog = lateDialog(async () => (await import('./documents/publish-dialog.tsx')).PublishDialog);
const TryDialog = lateDialog(async () => (await import('./golden/try-dialog.tsx')).TryDialog);
const GoldenDialog = lateDialog(async () => (await import('./golden/golden-dialog.tsx')).GoldenDialog);
const ImportKnowledge = lateDialog(async () => (await import('./import-knowledge.tsx')).ImportKnowledge);

/** Dialogs, each loaded when first opened. */
export function KnowledgeDialogs(props: KnowledgeDialogsProps) {
  const { dialog, mayEdit, tell, onOpen, onClose, onChanged, onDeleted } = props;
  const { collections, collection, onCollections } = props;
  if (!dialog) return null;
  if (dialog.kind === 'try')
    return (
      <TryDialog
        onClose={onClose}
        hasCollections={(collections?.collections.length ?? 0) > 1}
        groups={collections?.groups ?? []}
        {...(dialog.draft && { draft: dialog.draft })}
      />
    );
  if (dialog.kind === 'golden')
    return (
      <GoldenDialog
        golden={null}
        collection={collection}
        question={dialog.question}
        onClose={onClose}
        onChanged={onChanged}
      />
    );
  if (dialog.kind === 'import')
    return <ImportKnowledge {...{ collection, onClose }} onImported={onChanged} />;
  if (dialog.kind === 'collections')
    return collections && <CollectionsDialog list={collections} onList={onCollections} onClose={onClose} />;
  if (dialog.kind === 'source') {
    const { id, title } = dialog.document;
    return <SourceDialog source={{ documentId: id, title }} onClose={onClose} />;
  }
  if (dialog.kind === 'pair') {
    const { pair } = dialog;
    if (pair && (pair.isHandbook || !mayEdit(pair))) return <PairViewDialog pair={pair} onClose={onClose} />;
    const remove = () => pair && onOpen({ kind: 'delete-pair', pair });
    return (
      <PairDialog
        pair={pair}
        collection={collection}
        onClose={onClose}
        onChanged={onChanged}
        onDelete={remove}
      />
    );
  }
  const refuse = (failure: HttpFailure) => {
    onClose();
    tell(failure);
  };
  if (dialog.kind === 'publish-document') {
    const { document } = dialog;
    return (
      <PublishDialog
        document={document}
        onClose={onClose}
        onTry={() => onOpen({ kind: 'try', draft: document })}
        onPublished={() => {
          onClose();
          onChanged();
        }}
        onRefused={refuse}
      />
    );
  }
  if (dialog.kind === 'move-document')
    return (
      <MoveDialog
        document={dialog.document}
        collections={collections?.collections ?? []}
        onClose={onClose}
        onChanged={onChanged}
        onRefused={refuse}
      />
    );
  if (dialog.kind === 'rename-document')
    return (
      <RenameDocumentDialog
        document={dialog.document}
        onClose={onClose}
        onChanged={onChanged}
        onRefused={refuse}
      />
    );
  const target =
    dialog.kind === 'delete-pair'
      ? { kind: 'pair' as const, pair: dialog.pair }
      : { kind: 'document' as const, document: dialog.document };
  const settle = (id: string) => {
    onClose();
    onDeleted(id);
    onChanged();
  };
  return <DeleteDialog target={target} onClose={onClose} onDeleted={settle} onRefused={refuse} />;
}
