import type { Contact } from 'api/contract/records';
import type { Http, SavedContent } from 'host/contract';
import type { BehaviorSubject, Subject } from 'rxjs';
import type { AttachedFile, Attachments } from './attachments.ts';
import type { FileProgress, MessageFailure } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import type { ChosenContact, ContactChoice } from './contact-choice.ts';
import type { Drafts } from './drafts.ts';
import type { Pictures } from './pictures.ts';
import type { QuestionEdit } from './question-edit.ts';

export interface ConsultationState {
  /** null for a new conversation, which gets its id with its first question. */
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
  pictures: Pick<Pictures, 'add'>;
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
  /** An action failed and no message in the list shows it. */
  onFailure(failure: MessageFailure): void;
  /** Reports whether an answer is streaming or a question is being sent. */
  onBusy(isBusy: boolean): void;
  /** Calls back before the next paint. Returns a function that cancels the callback. */
  nextFrame(callback: () => void): () => void;
}

/** The conversation on the screen: loads it, asks questions, streams, stops and repeats answers. */
export interface Consultation {
  state$: BehaviorSubject<ConsultationState>;
  /** Emits when the list should scroll to its end: a question was sent or a conversation opened. */
  scrollToEnd$: Subject<void>;
  /** Emits when the list should scroll to the marked record. */
  scrollToMarked$: Subject<void>;
  /** Emits the text of each finished answer, for screen readers. */
  finished$: Subject<string>;
  /** Emits the progress of the question's files. */
  progress$: Subject<FileProgress>;
  /**
   * Shows a conversation, or a new one for null; does nothing if it is already shown. `recordId` is marked and scrolled to, loading as many
   * pages as necessary.
   */
  open(conversationId: string | null, recordId?: string | null): void;
  /** Reloads the conversation. */
  reopen(): void;
  /** Reloads a conversation that was saved in this browser, unless a question is being sent. */
  refreshSaved(): void;
  /** Shows an empty conversation without a contact. */
  startNew(): void;
  loadOlder(): Promise<void>;
  /** Loads the whole conversation, for example to print it. */
  loadAll(): Promise<void>;
  /**
   * Returns false if there is nothing to send, the text is too long, or an answer is running: text and files then stay in the composer.
   * Files may be sent without text.
   */
  send(text: string, files?: readonly AttachedFile[]): boolean;
  stop(): Promise<void>;
  /**
   * Answers a question again: as a new version if it has an answer, which remains. Sends a failed question again, optionally for another
   * contact.
   */
  retry(answerKey: string, contact?: Contact): void;
  /** Asks an edited question as a new version of itself. Returns false if that is not possible now, or the text is not valid. */
  askEdited(questionKey: string, text: string): boolean;
  /** Asks a question as a new version of itself, to be answered without the earlier ones. Returns false if that is not possible now. */
  askAlone(answerKey: string): boolean;
  /** Shows another version of a question, counted from 1. */
  showVersion(questionKey: string, position: number): void;
  /** Moves a failed question back into the draft. */
  takeBack(answerKey: string): void;
  /** Retries a lost connection immediately. */
  reconnect(): void;
  /** The page is being closed: stores that files being uploaded are lost, so that the next page can report it. */
  abandon(): void;
  /** Closes all connections. The server continues to answer. */
  close(): void;
}
