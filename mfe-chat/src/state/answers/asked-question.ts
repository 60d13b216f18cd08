import type { ChatQuestion } from 'api/contract/chat';
import { createId } from 'host/ui/create-id.ts';
import type { AttachedFile } from '../attachments.ts';
import { type ChosenContact, contactFields } from '../contact-choice.ts';
import type { PendingQuestion } from '../drafts.ts';

/** Identifies this page among the browser's tabs. */
const PAGE = createId();
/** A page that has not updated its pending question for this long is considered closed. In milliseconds. */
const CLOSED_AFTER_MS = 120_000;

/** A question being sent, and the keys of its two messages. */
export interface AskedQuestion {
  key: string;
  questionKey: string;
  text: string;
  clientId: string;
  conversationId: string | null;
  contact: ChosenContact | null;
  /** The contact of the next question, if `contact` was chosen for this one only. */
  backTo?: ChosenContact | null | undefined;
  files: readonly AttachedFile[];
  /** The attachment slot that its files came from and return to. */
  slot: string;
  /** The chosen model; '' for the server's default. */
  model: string;
  /** The record whose question this one replaces. Such a question is not stored in the browser until it is confirmed: its text is an edit. */
  versionOf?: string;
  /** True if it is answered without the earlier questions of its conversation. */
  isAlone?: boolean;
}

/** The question as stored until the server confirms it. `at` is in milliseconds since the epoch. */
export function pendingOf(asked: AskedQuestion, at: number): PendingQuestion {
  const { text, clientId, conversationId, contact, backTo, files, model } = asked;
  return {
    clientId,
    conversationId,
    text,
    at,
    ...(files.length ? { files: files.length, page: PAGE } : {}),
    ...(contact ? { contact } : {}),
    ...(backTo === undefined ? {} : { backTo }),
    ...(model ? { model } : {}),
  };
}

/** True if another tab has the files of this question and is sending them. */
export function isSentElsewhere({ files, page, at }: PendingQuestion): boolean {
  return Boolean(files) && page !== PAGE && Date.now() - at < CLOSED_AFTER_MS;
}

export function questionOf(asked: AskedQuestion): ChatQuestion & { clientId: string } {
  const { text, clientId, conversationId, contact, model, versionOf, isAlone } = asked;
  return {
    text,
    clientId,
    ...(conversationId ? { conversationId } : {}),
    ...(model ? { model } : {}),
    ...contactFields(contact),
    ...(versionOf ? { versionOf } : {}),
    ...(isAlone ? { isAlone } : {}),
  };
}
