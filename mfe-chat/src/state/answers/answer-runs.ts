import type { HttpFailure } from 'host/contract';
import { createId } from 'host/ui/create-id.ts';
import { asFailure } from 'host/ui/failure.ts';
import { Subject, type Subscription } from 'rxjs';
import { type ChatMessage, type FileProgress, filesOf, judgementOf } from '../chat-message.ts';
import type { ConsultationDeps, ConsultationState } from '../consultation-port.ts';
import { type AnswerDone, type AnswerRequest, type AnswerSignal, answerStream } from './answer-stream.ts';
import { type AskedQuestion, pendingOf, questionOf } from './asked-question.ts';

interface AnswerRunsDeps extends ConsultationDeps {
  onChange(change: Pick<ConsultationState, 'runningKey' | 'retryAt'>): void;
  onFinished(text: string): void;
  /** The server has accepted the question. */
  onAccepted(asked: AskedQuestion, stored: Accepted): void;
  /** Cancelled or rejected: the text returns to its field, with `problem` as a message. */
  onReturned(asked: AskedQuestion, problem: string): void;
  /** Returns the files to the composer. The text is saved separately. */
  returnFiles(asked: AskedQuestion): void;
  /** Reports how much of the files has been uploaded or read. */
  onProgress(progress: FileProgress): void;
}

export type Accepted = Extract<AnswerSignal, { kind: 'record' }>;

interface AnswerRun {
  key: string;
  recordId: string;
  asked: AskedQuestion | null;
  /** The message before a retry, restored when the retry is rejected. */
  before: ChatMessage | null;
  text: string;
  reasoning: string;
  /** The server has confirmed the question or retry. */
  isConfirmed: boolean;
  isInBackground: boolean;
  isStopWanted: boolean;
  /** When the pending question was last saved, in milliseconds since the epoch. */
  savedAt: number;
  retryAt: number | null;
  cancelFrame: (() => void) | null;
  subscription: Subscription | null;
}

/** How often a pending question is saved while its files are uploaded, so that other tabs leave it alone. In milliseconds. */
const PENDING_SAVE_INTERVAL = 10_000;

/** Errors caused by a file or by the question sent with it: the visitor has to change something before sending again. */
const FILE_ERRORS = new Set([400, 413, 415, 422]);

/** The running answers. Writes them into the store, at most once per animation frame. */
export function createAnswerRuns(deps: AnswerRunsDeps) {
  const { http, store, drafts, choice } = deps;
  const retryNow$ = new Subject<void>();
  /** Runs of the conversation that is shown, in the order in which they started. */
  const runs = new Map<string, AnswerRun>();
  /** Runs of conversations that were left before the server confirmed the question. */
  const backgroundRuns = new Set<AnswerRun>();

  const reportBusy = () => deps.onBusy(runs.size + backgroundRuns.size > 0);

  const publish = () => {
    const newest = [...runs.values()].at(-1);
    deps.onChange({ runningKey: newest?.key ?? null, retryAt: newest?.retryAt ?? null });
    reportBusy();
  };

  const start = (
    request: AnswerRequest,
    fields: Pick<AnswerRun, 'key' | 'recordId' | 'asked' | 'before'>,
  ) => {
    const run = newRun(fields);
    runs.set(run.key, run);
    publish();
    listen(run, request);
  };

  const listen = (run: AnswerRun, request: AnswerRequest) => {
    run.subscription = answerStream(request, { http, retryNow$ }).subscribe({
      next: (signal) => handle(run, signal),
      error: (failure) => fail(run, failure),
    });
  };

  const handle = (run: AnswerRun, signal: AnswerSignal) => {
    if (signal.kind === 'record') return confirm(run, signal);
    if (signal.kind === 'lost' || signal.kind === 'back') return reconnecting(run, signal);
    if (run.isInBackground) return signal.kind === 'done' ? finishBackground(run) : undefined;
    if (signal.kind === 'text') return update(run, { text: signal.text });
    if (signal.kind === 'reasoning') return update(run, { reasoning: signal.text });
    if (signal.kind === 'upload' || signal.kind === 'reading') return showProgress(run, signal);
    finish(run, signal.answer);
  };

  const reconnecting = (run: AnswerRun, signal: Extract<AnswerSignal, { kind: 'lost' | 'back' }>) => {
    run.retryAt = signal.kind === 'lost' ? signal.retryAt : null;
    if (run.isInBackground) return;
    if (isUnsent(run) && run.isStopWanted) return takeBack(run, run.asked);
    if (isUnsent(run)) showUnsent(run.asked, run.key);
    publish();
  };

  const showUnsent = ({ questionKey }: AskedQuestion, key: string) => {
    store.patch(questionKey, { state: 'unsent' });
    store.patch(key, { state: 'unsent', progress: null });
  };

  /** Turns the question into a draft again. */
  const takeBack = (run: AnswerRun, asked: AskedQuestion) => {
    end(run);
    deps.onReturned(asked, '');
  };

  /** Restores the previous answer. */
  const cancelRetry = (run: AnswerRun, before: ChatMessage) => {
    end(run);
    store.patch(run.key, before);
  };

  /** The server has confirmed a question of a conversation that is no longer shown. */
  const finishBackground = (run: AnswerRun) => {
    if (run.asked) drafts.removePending(run.asked.clientId);
    deps.onAsked();
    end(run);
  };

  const confirm = (run: AnswerRun, accepted: Accepted) => {
    const { asked } = run;
    const { recordId, conversationId } = accepted;
    run.recordId = recordId;
    run.isConfirmed = true;
    if (asked?.backTo !== undefined) choice.choose(conversationId, asked.backTo);
    if (run.isInBackground) return finishBackground(run);
    if (asked) {
      drafts.removePending(asked.clientId);
      deps.onAsked();
      // If an earlier attempt has reached the server, the list may already contain this record.
      store.remove(
        [`q:${recordId}`, `a:${recordId}`].filter((key) => key !== run.key && key !== asked.questionKey),
      );
      store.patch(asked.questionKey, { state: 'sent', recordId });
      const isUnsent = store.message(run.key)?.state === 'unsent';
      store.patch(run.key, { recordId, progress: null, ...(isUnsent ? { state: 'waiting' } : {}) });
      if (asked.conversationId === null) deps.onAddressChange(conversationId);
      deps.onAccepted(asked, accepted);
    }
    if (run.isStopWanted) void stopRecord(recordId);
  };

  const showProgress = (run: AnswerRun, signal: Extract<AnswerSignal, { kind: 'upload' | 'reading' }>) => {
    const isUp = signal.kind === 'upload' && signal.loaded >= signal.total;
    const progress: FileProgress = isUp ? { kind: 'reading', at: null } : signal;
    if (run.asked && Date.now() - run.savedAt >= PENDING_SAVE_INTERVAL) {
      run.savedAt = Date.now();
      drafts.savePending(pendingOf(run.asked, run.savedAt));
    }
    if (run.asked) store.patch(run.asked.questionKey, { state: 'sending' });
    store.patch(run.key, { state: 'waiting', progress });
    deps.onProgress(progress);
  };

  const update = (run: AnswerRun, change: Partial<Pick<AnswerRun, 'text' | 'reasoning'>>) => {
    Object.assign(run, change);
    run.cancelFrame ??= deps.nextFrame(() => {
      run.cancelFrame = null;
      if (run.reasoning && run.reasoning !== store.message(run.key)?.reasoning)
        store.patch(run.key, { reasoning: run.reasoning });
      // The previous answer stays visible until the new one begins.
      if (!run.text) return;
      if (store.message(run.key)?.state !== 'answering')
        store.patch(run.key, { state: 'answering', citations: [], source: null, failure: null });
      if (store.keys().at(-1) === run.key) store.replaceLastText(run.text);
      else store.patch(run.key, { text: run.text });
    });
  };

  const end = (run: AnswerRun) => {
    run.cancelFrame?.();
    run.subscription?.unsubscribe();
    if (backgroundRuns.delete(run)) return reportBusy();
    runs.delete(run.key);
    publish();
  };

  const finish = (run: AnswerRun, answer: AnswerDone) => {
    end(run);
    store.patch(run.key, {
      text: answer.response,
      // Equals the `answeredAt` that the server will report, also for a retry.
      createdAt: new Date().toISOString(),
      state: answer.status,
      recordId: answer.recordId ?? run.recordId,
      citations: answer.citations,
      source: answer.source,
      ...judgementOf(answer),
      model: answer.model ?? '',
      progress: null,
      ...(run.reasoning ? { reasoning: run.reasoning } : {}),
      suggestions: answer.suggestions ?? [],
      failure: null,
    });
    if (run.asked) {
      drafts.removePending(run.asked.clientId);
      store.patch(run.asked.questionKey, { state: 'sent', ...(answer.files ? filesOf(answer) : {}) });
    }
    deps.onFinished(answer.response);
    deps.onAsked();
  };

  const fail = (run: AnswerRun, reason: unknown) => {
    end(run);
    const failure = asFailure(reason);
    const note = {
      error: failure.error,
      message: failure.message,
      ...(failure.retryAfter ? { retryAt: Date.now() + failure.retryAfter * 1000 } : {}),
      ...(failure.choices ? { choices: failure.choices } : {}),
    };
    if (run.asked?.files.length && !run.recordId && FILE_ERRORS.has(failure.status)) {
      return deps.onReturned(run.asked, failure.message);
    }
    if (run.asked?.versionOf && !run.recordId) {
      if (!run.isInBackground) deps.onReturned(run.asked, failure.message);
      return;
    }
    if (run.asked && !run.recordId) handleUnsent(run.asked, failure, run.isInBackground);
    if (run.isInBackground) return;
    if (run.before && !run.text) {
      store.patch(run.key, run.before);
      return deps.onFailure(note);
    }
    store.patch(run.key, {
      state: 'failed',
      failure: note,
      progress: null,
      ...(run.text ? { text: run.text } : {}),
    });
  };

  const handleUnsent = (
    asked: AskedQuestion,
    { status }: Pick<HttpFailure, 'status'>,
    isInBackground: boolean,
  ) => {
    // The question stays pending and is sent after the next sign-in.
    if (isInBackground && status === 401) return deps.returnFiles(asked);
    // If the conversation no longer exists, the text becomes a draft of a new one.
    const question = { ...pendingOf(asked, 0), ...(status === 404 ? { conversationId: null } : {}) };
    if (isInBackground) {
      deps.returnFiles(asked);
      choice.choose(question.conversationId, question.contact ?? null, question.backTo);
      return drafts.putBack(question);
    }
    store.patch(asked.questionKey, { state: 'failed' });
    // The visitor has seen the failure: the question is sent again only on request, and becomes a draft when the conversation is left.
    drafts.savePending(question);
  };

  const stopRecord = async (recordId: string) => {
    try {
      await http.post(`/api/chat/${recordId}/stop`);
    } catch (reason) {
      deps.onFailure(asFailure(reason));
    }
  };

  return {
    ask(asked: AskedQuestion): void {
      if (!asked.versionOf) drafts.savePending(pendingOf(asked, Date.now()));
      start(askOf(asked), { key: asked.key, recordId: '', asked, before: null });
    },
    /** Sends a question of a conversation that is not shown. */
    askInBackground(asked: AskedQuestion): void {
      const run = { ...newRun({ key: asked.key, recordId: '', asked, before: null }), isInBackground: true };
      backgroundRuns.add(run);
      reportBusy();
      listen(run, askOf(asked));
    },
    /** Shows a question again that is still being sent, after `append` has put it back into the list. False if there is none. */
    rejoin(clientId: string, append: (asked: AskedQuestion) => void): boolean {
      const run = [...backgroundRuns].find(({ asked }) => asked?.clientId === clientId);
      if (!run?.asked) return false;
      backgroundRuns.delete(run);
      run.isInBackground = false;
      runs.set(run.key, run);
      append(run.asked);
      if (isUnsent(run)) showUnsent(run.asked, run.key);
      publish();
      return true;
    },
    retry(message: ChatMessage): void {
      const { key, recordId } = message;
      store.patch(key, { state: 'waiting', failure: null, suggestions: [], reasoning: '' });
      const request = { kind: 'retry', recordId, clientId: createId() } as const;
      start(request, { key, recordId, asked: null, before: message });
    },
    resume({ key, recordId, text }: ChatMessage): void {
      start({ kind: 'resume', recordId, received: text }, { key, recordId, asked: null, before: null });
    },
    async stop(): Promise<void> {
      const run = [...runs.values()].at(-1);
      if (!run || run.isStopWanted) return;
      if (isUnsent(run) || (!run.recordId && run.asked?.files.length)) takeBack(run, run.asked!);
      else if (run.before && !run.isConfirmed && run.retryAt !== null) cancelRetry(run, run.before);
      else if (!run.recordId) run.isStopWanted = true;
      else await stopRecord(run.recordId);
    },
    reconnect: (): void => retryNow$.next(),
    /** Called when the page is closed: files that are still being uploaded are lost. */
    abandon(): void {
      for (const { asked, recordId } of [...runs.values(), ...backgroundRuns])
        if (asked?.files.length && !recordId) drafts.savePending(pendingOf(asked, 0));
    },
    /** Called when another conversation is shown: answers continue on the server, unconfirmed questions are sent in the background. */
    leave(): void {
      for (const run of runs.values()) {
        run.cancelFrame?.();
        run.cancelFrame = null;
        run.isInBackground = true;
        if (run.recordId) run.subscription?.unsubscribe();
        else backgroundRuns.add(run);
      }
      runs.clear();
      reportBusy();
    },
    /** Closes every connection. */
    close(): void {
      for (const run of [...runs.values(), ...backgroundRuns]) {
        run.cancelFrame?.();
        run.subscription?.unsubscribe();
        if (run.asked?.files.length && !run.recordId) deps.returnFiles(run.asked);
      }
      runs.clear();
      backgroundRuns.clear();
      reportBusy();
    },
  };
}

function newRun(fields: Pick<AnswerRun, 'key' | 'recordId' | 'asked' | 'before'>): AnswerRun {
  return {
    ...fields,
    text: '',
    reasoning: '',
    isConfirmed: false,
    isInBackground: false,
    isStopWanted: false,
    savedAt: Date.now(),
    retryAt: null,
    cancelFrame: null,
    subscription: null,
  };
}

function askOf(asked: AskedQuestion): AnswerRequest {
  return { kind: 'ask', question: questionOf(asked), files: asked.files.map(({ file }) => file) };
}

/** True while the question waits for a connection. */
function isUnsent(run: AnswerRun): run is AnswerRun & { asked: AskedQuestion } {
  return run.asked !== null && !run.recordId && run.retryAt !== null;
}
