import { createLatePart, useLatePart } from 'host/ui/late-part.tsx';
import type { RefObject } from 'react';
import { fileTexts } from '../../state/part-texts.ts';

export const filesPart = createLatePart(
  async () => (await import(/* webpackChunkName: "files" */ './files-part.ts')).filesPart,
  fileTexts,
);

/** The attached files, above the text. */
export function Tray(props: { slot: string; fieldRef: RefObject<HTMLTextAreaElement | null> }) {
  const { part } = useLatePart(filesPart);
  return part ? <part.FileTray {...props} /> : null;
}
