import type { KnowledgeDocumentInfo, KnowledgePair } from 'api/contract/knowledge';
import type { HostServices, HttpFailure, Translate } from 'host/contract';
import { createLatePart } from 'host/ui/late-part.tsx';
import { LateDialog } from '../lib/late-dialog.tsx';
import { sourceDialog } from '../lib/source-dialog-part.ts';
import type { KnowledgeTexts } from './knowledge-texts.ts';

export type OpenDialog =
  | { kind: 'pair'; pair: KnowledgePair | null }
  | { kind: 'delete-pair'; pair: KnowledgePair }
  | { kind: 'delete-document'; document: KnowledgeDocumentInfo }
  | { kind: 'publish-document'; document: KnowledgeDocumentInfo }
  | { kind: 'rename-document'; document: KnowledgeDocumentInfo }
  | { kind: 'source'; document: KnowledgeDocumentInfo }
  | { kind: 'try'; draft?: KnowledgeDocumentInfo }
  | { kind: 'golden'; question: string }
  | { kind: 'import' };

interface KnowledgeDialogsProps {
  services: HostServices;
  t: Translate<KnowledgeTexts>;
  dialog: OpenDialog | null;
  isEditor: boolean;
  tell(failure: HttpFailure): void;
  onOpen(dialog: OpenDialog): void;
  onClose(): void;
  onChanged(): void;
  onDeleted(id: string): void;
}

const pairDialog = createLatePart(() => import('./pair-dialog.tsx'));
const pairViewDialog = createLatePart(() => import('./pair-view-dialog.tsx'));
const deleteDialog = createLatePart(() => import('./delete-dialog.tsx'));
const renameDialog = createLatePart(() => import('./rename-document-dialog.tsx'));
const publishDialog = createLatePart(() => import('./publish-dialog.tsx'));
const tryDialog = createLatePart(() => import('./try-dialog.tsx'));
const goldenDialog = createLatePart(() => import('./golden-dialog.tsx'));
const importDialog = createLatePart(() => import('./import-knowledge.tsx'));

/** Dialogs, each loaded when first opened. */
export function KnowledgeDialogs(props: KnowledgeDialogsProps) {
  const { services, t, dialog, isEditor, tell, onOpen, onClose, onChanged, onDeleted } = props;
  const { toasts } = services;
  const late = { toasts, t, onClose };
  if (!dialog) return null;
  if (dialog.kind === 'try')
    return (
      <LateDialog part={tryDialog} {...late}>
        {({ TryDialog }) => (
          <TryDialog
            services={services}
            t={t}
            onClose={onClose}
            {...(dialog.draft && { draft: dialog.draft })}
          />
        )}
      </LateDialog>
    );
  if (dialog.kind === 'golden')
    return (
      <LateDialog part={goldenDialog} {...late}>
        {({ GoldenDialog }) => (
          <GoldenDialog
            services={services}
            t={t}
            golden={null}
            question={dialog.question}
            onClose={onClose}
            onChanged={onChanged}
          />
        )}
      </LateDialog>
    );
  if (dialog.kind === 'import')
    return (
      <LateDialog part={importDialog} {...late}>
        {({ ImportKnowledge }) => (
          <ImportKnowledge services={services} t={t} onClose={onClose} onImported={onChanged} />
        )}
      </LateDialog>
    );
  if (dialog.kind === 'source') {
    const { id, title } = dialog.document;
    return (
      <LateDialog part={sourceDialog} {...late}>
        {({ SourceDialog }) => (
          <SourceDialog services={services} source={{ documentId: id, title }} onClose={onClose} />
        )}
      </LateDialog>
    );
  }
  if (dialog.kind === 'pair') {
    const { pair } = dialog;
    if (pair && (pair.isHandbook || !isEditor))
      return (
        <LateDialog part={pairViewDialog} {...late}>
          {({ PairViewDialog }) => <PairViewDialog t={t} pair={pair} onClose={onClose} />}
        </LateDialog>
      );
    const remove = () => pair && onOpen({ kind: 'delete-pair', pair });
    return (
      <LateDialog part={pairDialog} {...late}>
        {({ PairDialog }) => (
          <PairDialog
            services={services}
            t={t}
            pair={pair}
            onClose={onClose}
            onChanged={onChanged}
            onDelete={remove}
          />
        )}
      </LateDialog>
    );
  }
  const refuse = (failure: HttpFailure) => {
    onClose();
    tell(failure);
  };
  if (dialog.kind === 'publish-document') {
    const { document } = dialog;
    return (
      <LateDialog part={publishDialog} {...late}>
        {({ PublishDialog }) => (
          <PublishDialog
            services={services}
            t={t}
            document={document}
            onClose={onClose}
            onTry={() => onOpen({ kind: 'try', draft: document })}
            onPublished={() => {
              onClose();
              onChanged();
            }}
            onRefused={refuse}
          />
        )}
      </LateDialog>
    );
  }
  if (dialog.kind === 'rename-document')
    return (
      <LateDialog part={renameDialog} {...late}>
        {({ RenameDocumentDialog }) => (
          <RenameDocumentDialog
            services={services}
            t={t}
            document={dialog.document}
            onClose={onClose}
            onChanged={onChanged}
            onRefused={refuse}
          />
        )}
      </LateDialog>
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
  return (
    <LateDialog part={deleteDialog} {...late}>
      {({ DeleteDialog }) => (
        <DeleteDialog
          services={services}
          t={t}
          target={target}
          onClose={onClose}
          onDeleted={settle}
          onRefused={refuse}
        />
      )}
    </LateDialog>
  );
}
