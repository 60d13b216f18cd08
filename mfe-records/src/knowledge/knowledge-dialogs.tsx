import type { ComponentProps, ComponentType } from 'react';
import { lateDialog } from '../lib/late-dialog.tsx';
import { SourceDialog } from '../lib/source-dialog-part.ts';
import type { DialogContext } from './lib/dialog-context.ts';

const DIALOGS = {
  pair: lateDialog(async () => (await import('./pairs/pair-dialog.tsx')).PairDialog),
  view: lateDialog(async () => (await import('./pairs/pair-view-dialog.tsx')).PairViewDialog),
  delete: lateDialog(async () => (await import('./changes/delete-dialog.tsx')).DeleteDialog),
  publish: lateDialog(async () => (await import('./documents/publish-dialog.tsx')).PublishDialog),
  rename: lateDialog(async () => (await import('./documents/document-dialogs.tsx')).RenameDocumentDialog),
  move: lateDialog(async () => (await import('./documents/document-dialogs.tsx')).MoveDialog),
  collections: lateDialog(async () => (await import('./collections-dialog.tsx')).CollectionsDialog),
  try: lateDialog(async () => (await import('./golden/try-dialog.tsx')).TryDialog),
  golden: lateDialog(async () => (await import('./golden/golden-dialog.tsx')).GoldenDialog),
  import: lateDialog(async () => (await import('./import-knowledge.tsx')).ImportKnowledge),
  source: SourceDialog,
};

/** The name of a dialog and its properties. */
export type OpenDialog = {
  [Kind in keyof typeof DIALOGS]: { kind: Kind } & Omit<
    ComponentProps<(typeof DIALOGS)[Kind]>,
    keyof DialogContext
  >;
}[keyof typeof DIALOGS];

/** The open dialog, loaded when first opened. */
export function KnowledgeDialog({ dialog, ...context }: DialogContext & { dialog: OpenDialog }) {
  const { kind, ...props } = dialog;
  const Dialog = DIALOGS[kind] as ComponentType<DialogContext & typeof props>;
  return <Dialog key={kind} {...context} {...props} />;
}
