import type { Http, SavedContent } from 'host/contract';
import type { Attachments } from './attachments.ts';
import type { MessageFailure } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import type { ChosenContact, ContactChoice } from './contact-choice.ts';
import type { Drafts } from './drafts.ts';
import type { QuestionEdit } from './question-edit.ts';

export interface ConsultationState {
  /** null for a new conversation, which receives its id with the first question. */
  conversationId: string | null;
  /** The contact of its latest question; null for oneself, and before the first question. */
  contact: ChosenContact | null;
  phase: 'loading' | 'ready' | 'failed' | 'missing';
  failure: MessageFailure | null;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  /** The key of the running answer, the newest if there are several. */
  runningKey: string | null;
  /** When a lost connection is retried, in milliseconds since the epoch. */
  retryAt: number | null;
  /** When the shown records were saved in this browser, in milliseconds since the epoch; null if they are the server's. */
  savedAt: number | null;
}

export interface ConsultationDeps {
  http: Http;
  /** Where the newest records are saved for visits without the server. */
  saved: SavedContent | undefined;
  store: ChatStore;
  drafts: Drafts;
  choice: ContactChoice;
  attachments: Attachments;
  edit: QuestionEdit;
  /** The model chosen for the next question; '' for the server's default. */
  model(): string;
  /** The files of a pending question were lost when the page was reloaded. */
  onFilesLost(): void;
  /** The address of the shown conversation has changed: it got its id, or no record is marked any more. */
  onAddressChange(conversationId: string): void;
  /** The record that the address points to is not in the conversation. */
  onRecordMissing(): void;
  /** The server has confirmed a question of this or another conversation. */
  onAsked(): void;
  /** The server has stored a picture of this page here, so that it need not be downloaded. */
  onPictureStored(url: string, picture: Blob): void;
  /** An action failed and no message in the list shows it. */
  onFailure(failure: MessageFailure): void;
  /** Reports whether an answer is streaming or a question is being sent. */
  onBusy(isBusy: boolean): void;
  /** Calls back before the next paint. Returns a function that cancels the callback. */
  nextFrame(callback: () => void): () => void;
}
