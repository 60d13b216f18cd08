import { sourceTexts } from 'host/ui/documents/source-texts.ts';
import { lateDialog } from './late-dialog.tsx';

export const SourceDialog = lateDialog(
  async () => (await import(/* webpackChunkName: "source-dialog" */ './source-dialog.tsx')).SourceDialog,
  sourceTexts,
);
