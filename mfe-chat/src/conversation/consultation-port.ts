import type { Contact } from 'api/contract/records';
import type { Http } from 'host/contract';
import type { BehaviorSubject, Subject } from 'rxjs';
import type { Drafts } from '../composer/drafts.ts';
import type { ChosenContact, ContactChoice } from '../contacts/contact-choice.ts';
import type { AttachedFile, Attachments } from '../files/attachments.ts';
import type { Pictures } from '../files/pictures.ts';
import type { FileProgress, MessageFailure } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';

export interface ConsultationState {
  /** null: a new one, that gets its id with its first question. */
  conversationId: string | null;
  /** Whom its latest question was for; null for oneself, and before the first. */
  contact: ChosenContact | null;
  phase: 'loading' | 'ready' | 'failed' | 'missing';
  failure: MessageFailure | null;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  /** The key of the answer that is running, the newest if there are several. */
  runningKey: string | null;
  /** When the next try of a lost connection comes, in milliseconds since the epoch. */
  retryAt: number | null;
}

export interface ConsultationDeps {
  http: Http;
  store: ChatStore;
  drafts: Drafts;
  choice: ContactChoice;
  attachments: Attachments;
  pictures: Pick<Pictures, 'keep'>;
  /** The model that was chosen for the next question; '' for the desk's own choice. */
  model(): string;
  /** Files that went with a question were not kept, as the page was reloaded meanwhile. */
  onFilesLost(): void;
  /** The shown conversation has got its id, or is no longer shown for the sake of one record. */
  onNamed(conversationId: string): void;
  /** The record that the conversation was opened for is not in it. */
  onRecordMissing(): void;
  /** A question has reached the server, here or in a conversation that was left. */
  onAsked(): void;
  /** An action did not work; nothing else shows it. */
  onFailure(failure: MessageFailure): void;
  /** Whether an answer is listened to, or a question is on its way. */
  onBusy(isBusy: boolean): void;
  /** Calls back before the next paint; returns its cancellation. */
  nextFrame(callback: () => void): () => void;
}

/** The conversation on the screen: loads it, asks, listens, stops, asks again. */
export interface Consultation {
  state$: BehaviorSubject<ConsultationState>;
  /** Emits when the list should go to its end: a question was sent or a conversation opened. */
  toEnd$: Subject<void>;
  /** Emits when the record that the address names is in the list and marked: the list should go there. */
  toMarked$: Subject<void>;
  /** Emits the whole answer once it is finished, to be read out. */
  finished$: Subject<string>;
  /** Emits how far the files of a question are. */
  progress$: Subject<FileProgress>;
  /**
   * Shows a conversation, or with null a new one; the one that is shown already is left alone. A record is marked and gone to, however
   * many pages have to be read for it.
   */
  open(conversationId: string | null, recordId?: string | null): void;
  /** Reads the conversation that is shown anew. */
  reopen(): void;
  /** An empty page without a contact, whatever is shown now. */
  startNew(): void;
  loadOlder(): Promise<void>;
  /** Reads the whole conversation: to print it, for example. */
  loadAll(): Promise<void>;
  /**
   * False when there is nothing to send, too much, or an answer is running: then the words and files stay where they are. Files may go
   * without words.
   */
  send(text: string, files?: readonly AttachedFile[]): boolean;
  stop(): Promise<void>;
  /** Answers anew, or sends again what could not be sent: with `contact`, for that person. */
  retry(answerKey: string, contact?: Contact): void;
  /** Puts a question that could not be sent back into the draft. */
  takeBack(answerKey: string): void;
  /** Tries the lost connection at once. */
  reconnect(): void;
  /** The page goes: the next one is to know that files on their way are lost. */
  abandon(): void;
  /** Ends everything that runs. The server goes on answering. */
  close(): void;
}
