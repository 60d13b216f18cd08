import type { Contact } from 'api/contract/records';
import { createId } from 'host/ui/create-id.ts';
import { asFailure } from 'host/ui/failure.ts';
import { BehaviorSubject, Subject } from 'rxjs';
import { type Accepted, createAnswerRuns } from './answers/answer-runs.ts';
import { type AskedQuestion, isSentElsewhere } from './answers/asked-question.ts';
import type { AttachedFile } from './attachments.ts';
import {
  type ChatMessage,
  type FileProgress,
  filesOf,
  questionAndPlaceholder,
  questionKeyOf,
} from './chat-message.ts';
import type { ConsultationDeps, ConsultationState } from './consultation-port.ts';
import type { ChosenContact } from './contact-choice.ts';
import { createConversationPages } from './conversation-pages.ts';
import { MAX_QUESTION, type PendingQuestion } from './drafts.ts';
import { createQuestionVersions } from './question-versions.ts';

/** After a reload, an unconfirmed question younger than this is sent again, in ms; an older one becomes a draft. */
const RESEND_WITHIN_MS = 24 * 3_600_000;

const READY: ConsultationState = {
  conversationId: null,
  contact: null,
  phase: 'ready',
  failure: null,
  hasOlder: false,
  isLoadingOlder: false,
  runningKey: null,
  retryAt: null,
  savedAt: null,
};

export type Consultation = ReturnType<typeof createConsultation>;

/** The conversation on the screen: loads it, asks questions, streams, stops and repeats answers. */
export function createConsultation(deps: ConsultationDeps) {
  const { store, drafts, choice, attachments, edit } = deps;
  const state$ = new BehaviorSubject<ConsultationState>({ ...READY, phase: 'loading' });
  /** Emits when the list should scroll to its end: a question was sent or a conversation opened. */
  const scrollToEnd$ = new Subject<void>();
  /** Emits when the list should scroll to the marked record. */
  const scrollToMarked$ = new Subject<void>();
  /** Emits the text of each finished answer, for screen readers. */
  const finished$ = new Subject<string>();
  /** Emits the progress of the question's files. */
  const progress$ = new Subject<FileProgress>();
  const set = (change: Partial<ConsultationState>) => state$.next({ ...state$.value, ...change });
  let visit = new AbortController();
  /** undefined before the first conversation is opened and after `close`. */
  let opened: string | null | undefined;
  /** The record that the address points to. */
  let addressedRecord: string | null = null;
  /** The attachment slot of the newest question. */
  let slot = '';
  const canAsk = () => state$.value.phase === 'ready' && !state$.value.runningKey;

  const versions = createQuestionVersions(store);
  const pages = createConversationPages({
    ...deps,
    versions,
    onChange: set,
    onMarked: () => scrollToMarked$.next(),
  });
  const runs = createAnswerRuns({
    ...deps,
    onChange: set,
    onFinished(text) {
      finished$.next(text);
      if (state$.value.savedAt !== null) refreshSaved();
      else if (opened) void pages.save(opened);
    },
    onAddressChange(conversationId) {
      drafts.adopt(conversationId);
      attachments.adopt(conversationId);
      opened = conversationId;
      set({ conversationId });
      deps.onAddressChange(conversationId);
    },
    onAccepted(asked, stored) {
      if (asked.versionOf === edit.edited$.value?.recordId) edit.end();
      if (stored.question !== undefined) showStored(asked, { ...stored, question: stored.question });
    },
    onReturned(asked, problem) {
      if (asked.versionOf) return returnVersion(asked, problem);
      store.remove([asked.questionKey, asked.key]);
      attachments.putBack(asked.slot, asked.files, problem);
      returnToDraft(asked);
    },
    returnFiles: ({ slot, files }) => attachments.putBack(slot, files),
    onProgress: (progress) => progress$.next(progress),
  });

  /** Shows contact, text and names of files as the server has stored them. */
  const showStored = (asked: AskedQuestion, stored: Accepted & { question: string }) => {
    const { question: text, contact = null, imgUrls = [] } = stored;
    const own = asked.files.filter(({ file }) => file.type.startsWith('image/'));
    // Pictures sent by this page need not be downloaded.
    if (own.length === imgUrls.length)
      for (const [index, url] of imgUrls.entries()) deps.onPictureStored(url, own[index]!.file);
    store.patch(asked.questionKey, { contact, text, ...filesOf(stored) });
    if (imgUrls.length) store.replaceImgUrls(imgUrls);
    if (asked.contact && state$.value.contact === asked.contact) set({ contact });
  };

  /** Shows the previous version again. A changed text returns to the editor. */
  const returnVersion = ({ versionOf = '', clientId, questionKey, text }: AskedQuestion, problem: string) => {
    versions.drop(clientId);
    if (store.message(questionKey)?.text !== text) edit.begin({ recordId: versionOf, text });
    if (problem) deps.onFailure({ error: 'not_sent', message: problem });
  };

  const returnToDraft = ({ clientId, conversationId, text, contact, backTo }: ReturnedQuestion) => {
    choice.choose(conversationId, contact, backTo);
    drafts.putBack({ clientId, conversationId, text, at: 0 });
  };

  /** When a conversation is left, the files of failed questions return to the composer. */
  const returnFailed = () => {
    for (const question of store.chatList) {
      const files = question.inversion && question.state === 'failed' ? attachedTo(question) : [];
      if (files.length) attachments.putBack(slot, files);
    }
  };

  const leave = () => {
    returnFailed();
    visit.abort();
    visit = new AbortController();
    pages.leave();
    runs.leave();
  };

  /** A question to be sent: `question` and defaults for the rest. */
  const askedOf = (
    question: Pick<AskedQuestion, 'text' | 'clientId' | 'conversationId'> & Partial<AskedQuestion>,
  ): AskedQuestion => ({
    questionKey: `q:${question.clientId}`,
    key: `a:${question.clientId}`,
    contact: null,
    files: [],
    slot: attachments.slotOf(question.conversationId),
    model: deps.model(),
    ...question,
  });
  const askedOfPending = ({ clientId, conversationId, text, contact, backTo, model }: PendingQuestion) =>
    askedOf({ clientId, conversationId, text, contact: contact ?? null, backTo, model: model ?? '' });

  /** Adds a question and the place for its answer to the list. */
  const show = (asked: AskedQuestion, askedAt: Date) => {
    const { text, clientId, contact, files } = asked;
    slot = asked.slot;
    for (const message of questionAndPlaceholder(text, clientId, askedAt, contact, files))
      store.append(message);
    set({ contact });
  };

  const ask = (asked: AskedQuestion) => {
    show(asked, new Date());
    choice.drop(asked.conversationId);
    runs.ask(asked);
    scrollToEnd$.next();
  };

  /** Asks a new version of a question that has been answered. */
  const askVersion = (answerKey: string, text: string, isAlone = false) => {
    const { conversationId } = state$.value;
    const earlier = store.message(questionKeyOf(answerKey));
    if (!earlier?.recordId) return false;
    const clientId = createId();
    const keys = versions.begin(answerKey, text, clientId);
    runs.ask(askedOf({ ...keys, text, clientId, conversationId, versionOf: earlier.recordId, isAlone }));
    return true;
  };

  /** Shows a question again that is still being sent. */
  const rejoin = ({ clientId, at }: PendingQuestion): boolean =>
    runs.rejoin(clientId, (asked) => show(asked, new Date(at)));

  const restorePending = (conversationId: string | null) => {
    for (const question of drafts.pending().filter((one) => one.conversationId === conversationId))
      if (isSentElsewhere(question)) continue;
      else if (rejoin(question)) scrollToEnd$.next();
      else if (isToBeResent(question)) ask(askedOfPending(question));
      else {
        returnToDraft({ ...question, contact: question.contact ?? null });
        if (question.files && !attachments.read(attachments.slotOf(conversationId)).files.length)
          deps.onFilesLost();
      }
  };

  /** Sends all unconfirmed questions of other conversations. */
  const resendOthers = () => {
    for (const question of drafts.pending())
      if (question.conversationId !== opened && isToBeResent(question))
        runs.askInBackground(askedOfPending(question));
  };

  const load = async (conversationId: string, recordId: string | null = null) => {
    leave();
    opened = conversationId;
    addressedRecord = recordId;
    store.reset([]);
    versions.clear();
    state$.next({ ...READY, conversationId, phase: 'loading' });
    try {
      const messages = await pages.begin(conversationId);
      if (!messages) return;
      store.reset(messages);
      showImages();
      const { contact = null } = messages.findLast(({ inversion }) => inversion) ?? {};
      set({ phase: 'ready', contact, hasOlder: pages.hasOlder() });
      for (const message of messages) if (message.state === 'answering') runs.resume(message);
      restorePending(conversationId);
      scrollToEnd$.next();
      if (state$.value.savedAt === null) void pages.save(conversationId);
      if (addressedRecord) void pages.seek(addressedRecord);
    } catch (reason) {
      const failure = asFailure(reason);
      set({ phase: failure.status === 404 ? 'missing' : 'failed', failure });
    }
  };

  const refreshSaved = () => {
    const { savedAt, runningKey } = state$.value;
    if (savedAt !== null && !runningKey && typeof opened === 'string') void load(opened, addressedRecord);
  };

  const showImages = () => {
    const newest = store.chatList.findLast(({ imgUrls }) => imgUrls.length > 0);
    store.replaceImgUrls(newest?.imgUrls ?? []);
  };

  const startNew = () => {
    leave();
    opened = null;
    store.reset([]);
    versions.clear();
    state$.next(READY);
    restorePending(null);
  };

  return {
    state$,
    scrollToEnd$,
    scrollToMarked$,
    finished$,
    progress$,
    /**
     * Shows a conversation, or a new one for null; does nothing if it is already shown. `recordId` is marked and scrolled to, loading as many
     * pages as necessary.
     */
    open(conversationId: string | null, recordId: string | null = null): void {
      if (conversationId !== opened) {
        const isFirst = opened === undefined;
        if (conversationId === null) startNew();
        else void load(conversationId, recordId);
        if (isFirst) resendOthers();
        return;
      }
      addressedRecord = recordId;
      if (!recordId) pages.unmark();
      else if (state$.value.phase === 'ready') void pages.seek(recordId);
    },
    reopen(): void {
      if (typeof opened === 'string') void load(opened, addressedRecord);
      else startNew();
    },
    /** Reloads a conversation that was saved in this browser, unless a question is being sent. */
    refreshSaved,
    /** Shows an empty conversation without a contact. */
    startNew(): void {
      choice.drop(null);
      startNew();
    },
    loadOlder: pages.loadOlder,
    /** Loads the whole conversation, for example to print it. */
    loadAll: pages.loadAll,
    /**
     * Returns false if there is nothing to send, the text is too long, or an answer is running: text and files then stay in the composer.
     * Files may be sent without text.
     */
    send(input: string, files: readonly AttachedFile[] = []): boolean {
      const text = input.trim();
      const { conversationId } = state$.value;
      if (!(text || files.length) || text.length > MAX_QUESTION || !canAsk()) return false;
      const chosen = choice.read(conversationId);
      const contact = chosen === undefined ? state$.value.contact : chosen;
      const backTo = choice.backTo(conversationId);
      if (pages.unmark() && conversationId) deps.onAddressChange(conversationId);
      ask(askedOf({ text, clientId: createId(), conversationId, contact, files, backTo }));
      return true;
    },
    stop: runs.stop,
    /**
     * Answers a question again: as a new version if it has an answer, which remains. Sends a failed question again, optionally for another
     * contact.
     */
    retry(key: string, contact?: Contact): void {
      const message = store.message(key);
      if (message && !state$.value.runningKey) retryMessage(message, contact);
    },
    /** Asks an edited question as a new version of itself. Returns false if that is not possible now, or the text is not valid. */
    askEdited(questionKey: string, input: string): boolean {
      const text = input.trim();
      if (!text || text.length > MAX_QUESTION || !canAsk()) return false;
      return askVersion(questionKey.replace(/^q:/, 'a:'), text);
    },
    /** Asks a question as a new version of itself, to be answered without the earlier ones. Returns false if that is not possible now. */
    askAlone(answerKey: string): boolean {
      const text = store.message(questionKeyOf(answerKey))?.text;
      return text !== undefined && canAsk() && askVersion(answerKey, text, true);
    },
    /** Shows another version of a question, counted from 1. */
    showVersion: versions.show,
    /** Moves a failed question back into the draft. */
    takeBack(key: string): void {
      const question = store.message(questionKeyOf(key));
      if (question?.state !== 'failed') return;
      const { conversationId } = state$.value;
      store.remove([question.key, key]);
      attachments.putBack(attachments.slotOf(conversationId), attachedTo(question));
      returnToDraft({ ...question, conversationId, backTo: unsentBackTo(question.clientId) });
    },
    /** Retries a lost connection immediately. */
    reconnect: runs.reconnect,
    /** Called when the page is closed: stores that files being uploaded are lost, so that the next page can report it. */
    abandon: runs.abandon,
    /** Closes all connections. The server continues to answer. */
    close(): void {
      leave();
      runs.close();
      opened = undefined;
    },
  };

  /** The former contact, which returns after a question that the server has not stored. */
  function unsentBackTo(clientId: string): ChosenContact | null | undefined {
    return drafts.pending().find((one) => one.clientId === clientId)?.backTo;
  }

  function retryMessage(message: ChatMessage, chosen?: Contact) {
    const questionKey = questionKeyOf(message.key);
    const question = store.message(questionKey);
    if (!question) return;
    const isAnswered = message.text !== '' && message.state !== 'failed';
    if (message.recordId && isAnswered) return void askVersion(message.key, question.text);
    if (message.recordId) return runs.retry(message);
    const { conversationId } = state$.value;
    const { clientId, text } = question;
    const contact = chosen ?? question.contact;
    if (chosen) set({ contact });
    store.patch(questionKey, { state: 'sending', failure: null, contact });
    store.patch(message.key, { state: 'waiting', failure: null });
    const files = attachedTo(question);
    const backTo = unsentBackTo(clientId);
    const { key } = message;
    runs.ask(askedOf({ questionKey, key, text, clientId, conversationId, contact, backTo, files }));
  }
}

/** A question that becomes a draft. */
type ReturnedQuestion = Pick<AskedQuestion, 'clientId' | 'conversationId' | 'text' | 'contact' | 'backTo'>;

function isToBeResent({ at, files }: PendingQuestion): boolean {
  return Date.now() - at < RESEND_WITHIN_MS && !files;
}

/** The files of a question that the server has not stored yet. */
function attachedTo({ files }: ChatMessage): AttachedFile[] {
  return files.flatMap(({ attached }) => attached ?? []);
}
