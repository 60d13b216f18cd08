import type { KnowledgeDocumentInfo, KnowledgePair } from 'api/contract/knowledge';
import type { HostServices, HttpFailure, Translate } from 'host/contract';
import { useCallback } from 'react';
import { LazyDialog } from '../lazy-dialog.tsx';
import type { KnowledgeTexts } from './knowledge-texts.ts';

export type OpenDialog =
  | { kind: 'pair'; pair: KnowledgePair | null }
  | { kind: 'delete-pair'; pair: KnowledgePair }
  | { kind: 'delete-document'; document: KnowledgeDocumentInfo }
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

const loadPair = async () => (await import('./pair-dialog.tsx')).PairDialog;
const loadPairView = async () => (await import('./pair-view-dialog.tsx')).PairViewDialog;
const loadDelete = async () => (await import('./delete-dialog.tsx')).DeleteDialog;
const loadImport = async () => (await import('./import-knowledge-dialog.tsx')).ImportKnowledgeDialog;

/** Dialogs, each loaded when first opened. */
export function KnowledgeDialogs(props: KnowledgeDialogsProps) {
  const { services, t, dialog, isEditor, tell, onOpen, onClose, onChanged, onDeleted } = props;
  const { toasts, report } = services;
  const failed = useCallback(
    (error: unknown) => {
      void report(error);
      toasts.show({ kind: 'error', text: t('dialog.failed') });
      onClose();
    },
    [toasts, report, t, onClose],
  );
  if (!dialog) return null;
  if (dialog.kind === 'import')
    return (
      <LazyDialog
        load={loadImport}
        dialog={{ services, t, onClose, onImported: onChanged }}
        onFailed={failed}
      />
    );
  if (dialog.kind === 'pair') {
    const { pair } = dialog;
    if (pair && (pair.isHandbook || !isEditor))
      return <LazyDialog load={loadPairView} dialog={{ t, pair, onClose }} onFailed={failed} />;
    const onDelete = () => pair && onOpen({ kind: 'delete-pair', pair });
    return (
      <LazyDialog
        load={loadPair}
        dialog={{ services, t, pair, onClose, onChanged, onDelete }}
        onFailed={failed}
      />
    );
  }
  const doomed =
    dialog.kind === 'delete-pair'
      ? { kind: 'pair' as const, pair: dialog.pair }
      : { kind: 'document' as const, document: dialog.document };
  return (
    <LazyDialog
      load={loadDelete}
      dialog={{
        services,
        t,
        doomed,
        onClose,
        onDeleted: (id: string) => {
          onClose();
          onDeleted(id);
          onChanged();
        },
        onRefused: (failure: HttpFailure) => {
          onClose();
          tell(failure);
        },
      }}
      onFailed={failed}
    />
  );
}
