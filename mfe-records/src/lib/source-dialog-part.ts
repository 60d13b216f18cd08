import { sourceTexts } from 'host/ui/documents/source-texts.ts';
import { createLatePart } from 'host/ui/late-part.tsx';

/** Loaded when a source is first opened. */
export const sourceDialog = createLatePart(
  () => import(/* webpackChunkName: "source-dialog" */ './source-dialog.tsx'),
  sourceTexts,
);
