import type { ChatQuestion } from 'api/contract/chat';
import type { PendingQuestion } from '../composer/drafts.ts';
import { addressedTo, type ChosenContact } from '../contacts/contact-choice.ts';
import type { AttachedFile } from '../files/attachments.ts';
import { createId } from './create-id.ts';

/** This page among the tabs of its browser. */
const PAGE = createId();
/** A page that has said nothing of its files for so long is gone, in milliseconds. */
const SILENCE = 120_000;

/** A question on its way, and the two bubbles that it has got. */
export interface AskedQuestion {
  key: string;
  questionKey: string;
  text: string;
  clientId: string;
  conversationId: string | null;
  contact: ChosenContact | null;
  files: readonly AttachedFile[];
  /** Where its files came from, and go back to. */
  slot: string;
  /** The model that was chosen for it; '' for the desk's own choice. */
  model: string;
}

/** As it is kept until the server has it. `at` is in milliseconds since the epoch. */
export function pendingOf(asked: AskedQuestion, at: number): PendingQuestion {
  const { text, clientId, conversationId, contact, files, model } = asked;
  return {
    clientId,
    conversationId,
    text,
    at,
    ...(files.length ? { files: files.length, page: PAGE } : {}),
    ...(contact ? { contact } : {}),
    ...(model ? { model } : {}),
  };
}

/** Another tab has its files, and sends them. */
export function isSentElsewhere({ files, page, at }: PendingQuestion): boolean {
  return Boolean(files) && page !== PAGE && Date.now() - at < SILENCE;
}

/** As the API takes it. */
export function questionOf(asked: AskedQuestion): ChatQuestion & { clientId: string } {
  const { text, clientId, conversationId, contact, model } = asked;
  return {
    text,
    clientId,
    ...(conversationId ? { conversationId } : {}),
    ...(model ? { model } : {}),
    ...addressedTo(contact),
  };
}
