import { createLatePart } from 'host/ui/late-part.tsx';
import { handoverTexts } from '../state/part-texts.ts';

/** The form to ask for a person, and the threads with their replies: loaded when one of them is needed. */
export const handoverPart = createLatePart(
  async () => (await import(/* webpackChunkName: "handover" */ './handover-part.ts')).handoverPart,
  handoverTexts,
);
