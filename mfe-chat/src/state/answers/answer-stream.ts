import type {
  AcceptedQuestion,
  AnswerEvent,
  ChatAnswer,
  ChatQuestion,
  RetryRequest,
} from 'api/contract/chat';
import type { ReadingProgress } from 'api/contract/files';
import type { Http, HttpFailure } from 'host/contract';
import { asFailure } from 'host/ui/failure.ts';
import { readEvents } from 'host/ui/read-events.ts';
import { firstValueFrom, fromEvent, merge, Observable, type Subject, take, timer } from 'rxjs';
import { type PlacedEvent, placed } from './placed-event.ts';
import { uploadFiles } from './upload-files.ts';

export type AnswerDone = Extract<AnswerEvent, { event: 'done' }>['data'];

/** Events of a running answer. `text` is always the whole answer so far. */
export type AnswerSignal =
  | ({ kind: 'record' } & Omit<AcceptedQuestion, 'clientId'>)
  | { kind: 'text'; text: string }
  /** The model's reasoning: always the whole text so far. */
  | { kind: 'reasoning'; text: string }
  /** Upload progress of the question's files, in bytes. */
  | { kind: 'upload'; loaded: number; total: number }
  | { kind: 'reading'; at: ReadingProgress }
  | { kind: 'done'; answer: AnswerDone }
  /** The connection is lost; the next attempt starts at `retryAt` (milliseconds since the epoch). */
  | { kind: 'lost'; retryAt: number }
  | { kind: 'back' };

/**
 * Asks a question, repeats the answer of a record, or resumes one of which the text `received` is known. Questions and retries are sent
 * until the server confirms them; `clientId` makes them idempotent.
 */
export type AnswerRequest =
  | { kind: 'ask'; question: ChatQuestion & { clientId: string }; files?: readonly File[] }
  | { kind: 'retry'; recordId: string; clientId: string }
  | { kind: 'resume'; recordId: string; received: string };

interface AnswerStreamDeps {
  http: Pick<Http, 'request'>;
  /** Emitting ends the current wait and retries immediately. */
  retryNow$: Subject<void>;
  /** Waits between attempts in milliseconds; the last one repeats. */
  retryDelays?: readonly number[];
  /** A connection without data for this long (milliseconds) counts as lost. The API sends a heartbeat every 15 s. */
  idleTimeout?: number;
}

const RETRY_DELAYS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** Number of failed uploads, while the browser is online, after which the question fails. */
const MAX_UPLOAD_ATTEMPTS = 2;

/**
 * One answer, from the question to its end, over as many connections as necessary. A lost connection resumes at the exact UTF-16 unit.
 * Completes after `done`. Errors with an `HttpFailure`: the API's error response, or files that could not be uploaded. Unsubscribing closes
 * the connection; the server continues to answer.
 */
export function answerStream(request: AnswerRequest, deps: AnswerStreamDeps): Observable<AnswerSignal> {
  return new Observable((subscriber) => {
    const ended = new AbortController();
    listen(request, deps, ended.signal, (signal) => subscriber.next(signal)).then(
      () => subscriber.complete(),
      (reason) => subscriber.error(asFailure(reason)),
    );
    return () => ended.abort();
  });
}

async function listen(
  request: AnswerRequest,
  deps: AnswerStreamDeps,
  ended: AbortSignal,
  emit: (signal: AnswerSignal) => void,
): Promise<void> {
  const retryDelays = deps.retryDelays ?? RETRY_DELAYS;
  const progress = createProgress(request, emit);
  let failedUploads = 0;
  for (let tries = 1; ; tries += 1) {
    const stepsBefore = progress.steps;
    const isUpload = request.kind === 'ask' && request.files?.length && !progress.recordId;
    const turn = isUpload
      ? upload(request.question, request.files!, deps, ended, progress, emit)
      : connect(progress.next(), deps, ended, progress);
    const failure = await turn.then(
      () => asFailure(new Error('the stream ended before the answer was complete')),
      asFailure,
    );
    if (ended.aborted || progress.isDone) return;
    if (progress.apiError) throw progress.apiError;
    if (isUpload && progress.recordId) {
      tries = 0;
      continue;
    }
    if (progress.steps > stepsBefore) tries = 1;
    if (isUpload && navigator.onLine) failedUploads += 1;
    if (!isRetryable(failure) || failedUploads >= MAX_UPLOAD_ATTEMPTS) throw failure;
    const wait = failure.retryAfter
      ? failure.retryAfter * 1000
      : retryDelays[Math.min(tries, retryDelays.length) - 1]!;
    progress.lose(Date.now() + wait);
    await pause(wait, deps.retryNow$, ended);
    if (ended.aborted) return;
  }
}

interface Progress {
  recordId: string;
  /** Number of text and reasoning events received over all connections. */
  steps: number;
  isDone: boolean;
  apiError: unknown;
  next(): Parameters<Http['request']>[0];
  take(event: PlacedEvent): void;
  finish(answer: AnswerDone): void;
  lose(retryAt: number): void;
}

function createProgress(request: AnswerRequest, emit: (signal: AnswerSignal) => void): Progress {
  let received = request.kind === 'resume' ? request.received : '';
  /** The server has confirmed the question or retry: from here on the answer is resumed. */
  let isConfirmed = request.kind === 'resume';
  let isConnectionLost = false;
  let reasoning = '';
  /** After a reconnection the server sends the whole reasoning again, which replaces the text so far. */
  let isReasoningOld = false;
  const progress: Progress = {
    recordId: request.kind === 'ask' ? '' : request.recordId,
    steps: 0,
    isDone: false,
    apiError: null,
    next() {
      isReasoningOld = true;
      if (isConfirmed)
        return {
          method: 'get',
          url: `/api/chat/${progress.recordId}`,
          headers: { 'Last-Event-ID': received.length },
        };
      if (request.kind === 'retry')
        return {
          method: 'post',
          url: `/api/chat/${request.recordId}/retry`,
          data: { clientId: request.clientId } satisfies RetryRequest,
        };
      return { method: 'post', url: '/api/chat', data: (request as { question: ChatQuestion }).question };
    },
    take(event) {
      if (isConnectionLost) {
        isConnectionLost = false;
        emit({ kind: 'back' });
      }
      isConfirmed ||= event.event !== 'reading';
      if (event.event === 'record') {
        const { clientId, ...accepted } = event.data;
        progress.recordId = accepted.recordId;
        emit({ kind: 'record', ...accepted });
      } else if (event.event === 'reading') {
        emit({ kind: 'reading', at: event.data });
      } else if (event.event === 'reasoning') {
        progress.steps += 1;
        reasoning = isReasoningOld ? event.data.text : reasoning + event.data.text;
        isReasoningOld = false;
        emit({ kind: 'reasoning', text: reasoning });
      } else if (event.event === 'delta') {
        const { text } = event.data;
        const start = event.at - text.length;
        if (start > received.length)
          throw new Error(`expected text from unit ${received.length} of the answer, got ${start}`);
        progress.steps += 1;
        received = (start === received.length ? received : received.slice(0, start)) + text;
        emit({ kind: 'text', text: received });
      } else if (event.event === 'done') {
        progress.finish(event.data);
      } else if (event.event === 'error') {
        progress.apiError = Object.assign(new Error(event.data.msg), {
          status: event.data.code,
          error: event.data.error,
        });
      }
    },
    finish(answer) {
      progress.isDone = true;
      emit({ kind: 'done', answer });
    },
    lose(retryAt) {
      isConnectionLost = true;
      emit({ kind: 'lost', retryAt });
    },
  };
  return progress;
}

/** Uploads the question with its files and reads the answer until it ends or the connection breaks. */
async function upload(
  question: ChatQuestion,
  files: readonly File[],
  { http }: AnswerStreamDeps,
  signal: AbortSignal,
  progress: Progress,
  emit: (signal: AnswerSignal) => void,
): Promise<void> {
  const answer = await uploadFiles(question, files, {
    http,
    signal,
    onUpload: (loaded, total) => signal.aborted || emit({ kind: 'upload', loaded, total }),
    onEvent(event) {
      if (!signal.aborted) progress.take(event);
      return progress.isDone || progress.apiError !== null;
    },
  });
  if (answer) progress.finish(answer);
}

/** Reads one connection until the answer ends or the connection breaks. */
async function connect(
  config: Parameters<Http['request']>[0],
  { http, idleTimeout = 40_000 }: AnswerStreamDeps,
  ended: AbortSignal,
  progress: Progress,
): Promise<void> {
  const idle = new AbortController();
  const signal = AbortSignal.any([ended, idle.signal]);
  let timeout = setTimeout(() => idle.abort(), idleTimeout);
  const onActivity = () => {
    clearTimeout(timeout);
    timeout = setTimeout(() => idle.abort(), idleTimeout);
  };
  const onEvent = (event: PlacedEvent) => {
    if (!ended.aborted) progress.take(event);
    return progress.isDone || progress.apiError !== null;
  };
  try {
    const { data } = await http.request<ReadableStream<Uint8Array> | ChatAnswer>({
      ...config,
      headers: { ...config.headers, Accept: 'text/event-stream' },
      adapter: 'fetch',
      responseType: 'stream',
      signal,
    });
    if ('getReader' in data) {
      await readEvents(data, { onActivity, signal, onEvent: placed(onEvent) });
    } else progress.finish(wholeAnswer(data));
  } catch (reason) {
    throw idle.signal.aborted ? new Error(`no data for ${idleTimeout} ms`) : reason;
  } finally {
    clearTimeout(timeout);
  }
}

/** The answer as plain JSON, which the API sends where a proxy does not allow event streams. */
function wholeAnswer(answer: ChatAnswer): AnswerDone {
  return {
    ...answer,
    citations: answer.citations ?? [],
    source: answer.source ?? 'none',
    status: 'done',
    suggestions: [],
  };
}

/** True for network failures and gateway errors, which do not mean that the record is lost. */
function isRetryable({ status, error }: Pick<HttpFailure, 'status' | 'error'>): boolean {
  return (status === 0 && error !== 'aborted') || status === 502 || status === 503 || status === 504;
}

async function pause(milliseconds: number, retryNow$: Subject<void>, ended: AbortSignal): Promise<void> {
  const triggers = merge(
    timer(milliseconds),
    retryNow$,
    fromEvent(window, 'online'),
    fromEvent(ended, 'abort'),
  );
  await firstValueFrom(triggers.pipe(take(1)), { defaultValue: undefined });
}
