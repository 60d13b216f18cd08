import type { ChatQuestion } from 'api/contract';
import type { AttachedFile } from './attachments.ts';
import { addressedTo, type ChosenContact } from './contact-choice.ts';
import type { PendingQuestion } from './drafts.ts';

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
    ...(files.length ? { files: files.length } : {}),
    ...(contact ? { contact } : {}),
    ...(model ? { model } : {}),
  };
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
