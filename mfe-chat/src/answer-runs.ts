import type { HttpFailure } from 'host/contract';
import { Subject, type Subscription } from 'rxjs';
import { type AnswerDone, type AnswerRequest, type AnswerSignal, answerStream } from './answer-stream.ts';
import { type AskedQuestion, pendingOf, questionOf } from './asked-question.ts';
import { type ChatMessage, type FileProgress, filesOf } from './chat-message.ts';
import type { ConsultationDeps, ConsultationState } from './consultation-port.ts';
import { asFailure } from './http-failure.ts';

export interface AnswerRunsDeps extends ConsultationDeps {
  onChange(change: Pick<ConsultationState, 'runningKey' | 'retryAt'>): void;
  onFinished(text: string): void;
  /** The server has taken this question. */
  onTaken(asked: AskedQuestion, recordId: string, conversationId: string): void;
  /** A question with files is the visitor's again: cancelled, or refused with a problem that is ready to be shown. */
  onReturned(asked: AskedQuestion, problem: string): void;
  /** Its words are kept otherwise; its files would be lost. */
  returnFiles(asked: AskedQuestion): void;
  /** How far the files are. */
  onProgress(progress: FileProgress): void;
}

/** The answers that are being listened to. Writes what they say into the store, once a frame. */
export interface AnswerRuns {
  ask(question: AskedQuestion): void;
  /** A question whose files are on their way still is shown again: it goes on. null where there is none by this id. */
  rejoin(clientId: string): AskedQuestion | null;
  retry(message: ChatMessage): void;
  resume(message: ChatMessage): void;
  stop(): Promise<void>;
  reconnect(): void;
  /** The conversation is left: answers run on at the server, and questions on their way are followed until they arrive. */
  leave(): void;
  /** The page goes, and with it the files that are on their way. */
  abandon(): void;
  /** Ends every connection. */
  close(): void;
}

interface AnswerRun {
  key: string;
  recordId: string;
  asked: AskedQuestion | null;
  /** What stood there before a retry; it comes back when the retry is refused. */
  before: ChatMessage | null;
  text: string;
  reasoning: string;
  hasLeft: boolean;
  isStopWanted: boolean;
  /** When the question was last noted as being on its way, in milliseconds since the epoch. */
  keptAt: number;
  retryAt: number | null;
  cancelFrame: (() => void) | null;
  subscription: Subscription | null;
}

/** Other tabs hear so often that files are on their way, in milliseconds. */
const KEEP_EVERY = 10_000;

/** Refusals that name a file, or what came with it: the visitor changes that before it goes out again. */
const IS_OF_FILES = new Set([400, 413, 415, 422]);

export function createAnswerRuns(deps: AnswerRunsDeps): AnswerRuns {
  const { http, store, drafts } = deps;
  const wake$ = new Subject<void>();
  /** Of the conversation that is shown, in the order of their start. */
  const runs = new Map<string, AnswerRun>();
  /** Of conversations that were left before the server had confirmed the question. */
  const departed = new Set<AnswerRun>();

  const tellBusy = () => deps.onBusy(runs.size + departed.size > 0);

  const publish = () => {
    const newest = [...runs.values()].at(-1);
    deps.onChange({ runningKey: newest?.key ?? null, retryAt: newest?.retryAt ?? null });
    tellBusy();
  };

  const start = (
    request: AnswerRequest,
    fields: Pick<AnswerRun, 'key' | 'recordId' | 'asked' | 'before'>,
  ) => {
    const run: AnswerRun = {
      ...fields,
      text: '',
      reasoning: '',
      hasLeft: false,
      isStopWanted: false,
      keptAt: Date.now(),
      retryAt: null,
      cancelFrame: null,
      subscription: null,
    };
    runs.set(run.key, run);
    publish();
    run.subscription = answerStream(request, { http, wake$ }).subscribe({
      next: (signal) => take(run, signal),
      error: (failure) => fail(run, failure),
    });
  };

  const take = (run: AnswerRun, signal: AnswerSignal) => {
    if (signal.kind === 'record') return named(run, signal);
    if (run.hasLeft) return;
    if (signal.kind === 'text') return grow(run, { text: signal.text });
    if (signal.kind === 'reasoning') return grow(run, { reasoning: signal.text });
    if (signal.kind === 'upload' || signal.kind === 'reading') return advance(run, signal);
    if (signal.kind === 'done') return finish(run, signal.answer);
    run.retryAt = signal.kind === 'lost' ? signal.retryAt : null;
    publish();
  };

  const named = (
    run: AnswerRun,
    { recordId, conversationId }: { recordId: string; conversationId: string },
  ) => {
    const { asked } = run;
    run.recordId = recordId;
    if (asked) {
      drafts.dropPending(asked.clientId);
      deps.onAsked();
    }
    if (run.hasLeft) return end(run);
    if (asked) {
      // The page may have listed this record already, when the question is a repetition of one that had arrived after all.
      store.remove(
        [`q:${recordId}`, `a:${recordId}`].filter((key) => key !== run.key && key !== asked.questionKey),
      );
      store.patch(asked.questionKey, { state: 'sent', recordId });
      store.patch(run.key, { recordId, progress: null });
      if (asked.conversationId === null) deps.onNamed(conversationId);
      deps.onTaken(asked, recordId, conversationId);
    }
    if (run.isStopWanted) void stopRecord(recordId);
  };

  const advance = (run: AnswerRun, signal: Extract<AnswerSignal, { kind: 'upload' | 'reading' }>) => {
    const isUp = signal.kind === 'upload' && signal.loaded >= signal.total;
    const progress: FileProgress = isUp ? { kind: 'reading', at: null } : signal;
    if (run.asked && Date.now() - run.keptAt >= KEEP_EVERY) {
      run.keptAt = Date.now();
      drafts.keepPending(pendingOf(run.asked, run.keptAt));
    }
    store.patch(run.key, { progress });
    deps.onProgress(progress);
  };

  const grow = (run: AnswerRun, change: Partial<Pick<AnswerRun, 'text' | 'reasoning'>>) => {
    Object.assign(run, change);
    run.cancelFrame ??= deps.nextFrame(() => {
      run.cancelFrame = null;
      if (run.reasoning && run.reasoning !== store.message(run.key)?.reasoning)
        store.patch(run.key, { reasoning: run.reasoning });
      // What was there before a retry stays until the new answer begins.
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
    if (departed.delete(run)) return tellBusy();
    runs.delete(run.key);
    publish();
  };

  const finish = (run: AnswerRun, answer: AnswerDone) => {
    end(run);
    store.patch(run.key, {
      text: answer.response,
      state: answer.status,
      recordId: answer.recordId ?? run.recordId,
      citations: answer.citations,
      source: answer.source,
      model: answer.model ?? '',
      progress: null,
      ...(run.reasoning ? { reasoning: run.reasoning } : {}),
      suggestions: answer.suggestions ?? [],
      failure: null,
    });
    if (run.asked) {
      drafts.dropPending(run.asked.clientId);
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
    if (run.asked?.files.length && !run.recordId && IS_OF_FILES.has(failure.status)) {
      return deps.onReturned(run.asked, failure.message);
    }
    if (run.asked && !run.recordId) notSent(run.asked, failure, run.hasLeft);
    if (run.hasLeft) return;
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

  const notSent = (asked: AskedQuestion, { status }: Pick<HttpFailure, 'status'>, hasLeft: boolean) => {
    // Whoever signs in again finds it on its way still.
    if (hasLeft && status === 401) return deps.returnFiles(asked);
    // Where the conversation is gone, the words are a draft of a new one.
    const question = { ...pendingOf(asked, 0), ...(status === 404 ? { conversationId: null } : {}) };
    if (hasLeft) {
      deps.returnFiles(asked);
      return drafts.giveBack(question);
    }
    store.patch(asked.questionKey, { state: 'failed' });
    // Told and seen: it goes out again by hand alone, and is a draft again once this page is left.
    drafts.keepPending(question);
  };

  const stopRecord = async (recordId: string) => {
    try {
      await http.post(`/api/chat/${recordId}/stop`);
    } catch (reason) {
      deps.onFailure(asFailure(reason));
    }
  };

  return {
    ask(asked) {
      drafts.keepPending(pendingOf(asked, Date.now()));
      const files = asked.files.map(({ file }) => file);
      start(
        { kind: 'ask', question: questionOf(asked), files },
        { key: asked.key, recordId: '', asked, before: null },
      );
    },
    rejoin(clientId) {
      const run = [...departed].find(({ asked }) => asked?.clientId === clientId && asked.files.length > 0);
      if (!run) return null;
      departed.delete(run);
      run.hasLeft = false;
      runs.set(run.key, run);
      publish();
      return run.asked;
    },
    retry(message) {
      const { key, recordId } = message;
      store.patch(key, { state: 'waiting', failure: null, suggestions: [], reasoning: '' });
      start({ kind: 'retry', recordId }, { key, recordId, asked: null, before: message });
    },
    resume({ key, recordId, text }) {
      start({ kind: 'resume', recordId, said: text }, { key, recordId, asked: null, before: null });
    },
    async stop() {
      const run = [...runs.values()].at(-1);
      if (!run || run.isStopWanted) return;
      if (!run.recordId && run.asked?.files.length) {
        end(run);
        deps.onReturned(run.asked, '');
      } else if (!run.recordId) run.isStopWanted = true;
      else await stopRecord(run.recordId);
    },
    reconnect: () => wake$.next(),
    abandon() {
      for (const { asked, recordId } of [...runs.values(), ...departed])
        if (asked?.files.length && !recordId) drafts.keepPending(pendingOf(asked, 0));
    },
    leave() {
      for (const run of runs.values()) {
        run.cancelFrame?.();
        run.cancelFrame = null;
        run.hasLeft = true;
        if (run.recordId) run.subscription?.unsubscribe();
        else departed.add(run);
      }
      runs.clear();
      tellBusy();
    },
    close() {
      for (const run of [...runs.values(), ...departed]) {
        run.cancelFrame?.();
        run.subscription?.unsubscribe();
        if (run.asked?.files.length && !run.recordId) deps.returnFiles(run.asked);
      }
      runs.clear();
      departed.clear();
      tellBusy();
    },
  };
}
