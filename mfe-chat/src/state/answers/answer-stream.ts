import type {
  AcceptedQuestion,
  AnswerEvent,
  ChatAnswer,
  ChatQuestion,
  PredictAnswer,
  RetryRequest,
} from 'api/contract/chat';
import type { ReadingProgress } from 'api/contract/files';
import type { Http, HttpFailure } from 'host/contract';
import { asFailure } from 'host/ui/failure.ts';
import { createEventReader, readEvents, type ServerEvent } from 'host/ui/read-events.ts';
import { firstValueFrom, fromEvent, merge, Observable, type Subject, timer } from 'rxjs';

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
 * Asks a question, repeats the answer of a record, or resumes an answer of which `received` is known. Questions and retries are sent until
 * the server confirms them; `clientId` makes them idempotent.
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
/** Number of failed uploads after which the question fails; those while offline do not count. */
const MAX_UPLOAD_ATTEMPTS = 2;

/**
 * One answer, from the question to its end, over as many connections as necessary. A lost connection resumes at the exact UTF-16 unit.
 * Completes after `done`. Errors with an `HttpFailure`: the API's error response, or files that could not be uploaded. Unsubscribing closes
 * the connection; the server continues to answer.
 */
export function answerStream(request: AnswerRequest, deps: AnswerStreamDeps): Observable<AnswerSignal> {
  return new Observable((subscriber) => {
    const ended = new AbortController();
    const read = createReader(request, deps, ended.signal, (signal) => subscriber.next(signal));
    read().then(
      () => subscriber.complete(),
      (reason) => subscriber.error(asFailure(reason)),
    );
    return () => ended.abort();
  });
}

/** Returns a function that reads the rest of an answer. It resolves when the answer is complete or `ended` is aborted. */
function createReader(
  request: AnswerRequest,
  { http, retryNow$, retryDelays = RETRY_DELAYS, idleTimeout = 40_000 }: AnswerStreamDeps,
  ended: AbortSignal,
  emit: (signal: AnswerSignal) => void,
) {
  let recordId = request.kind === 'ask' ? '' : request.recordId;
  let received = request.kind === 'resume' ? request.received : '';
  /** The server has confirmed the question or retry: from here on the answer is resumed. */
  let isConfirmed = request.kind === 'resume';
  let isConnectionLost = false;
  let reasoning = '';
  /** After a reconnection the server sends the whole reasoning again, which replaces the text so far. */
  let isReasoningOld = false;
  /** Number of text and reasoning events received over all connections. */
  let steps = 0;
  let isDone = false;
  let apiError: unknown = null;

  const finish = (answer: AnswerDone) => {
    isDone = true;
    emit({ kind: 'done', answer });
  };
  const take = ({ event, data, at }: PlacedEvent) => {
    if (isConnectionLost) emit({ kind: 'back' });
    isConnectionLost = false;
    isConfirmed ||= event !== 'reading';
    if (event === 'record') {
      const { clientId, ...accepted } = data;
      recordId = accepted.recordId;
      emit({ kind: 'record', ...accepted });
    } else if (event === 'reading') {
      emit({ kind: 'reading', at: data });
    } else if (event === 'reasoning') {
      steps += 1;
      reasoning = isReasoningOld ? data.text : reasoning + data.text;
      isReasoningOld = false;
      emit({ kind: 'reasoning', text: reasoning });
    } else if (event === 'delta') {
      const start = at - data.text.length;
      if (start > received.length)
        throw new Error(`expected text from unit ${received.length} of the answer, got ${start}`);
      steps += 1;
      received = (start === received.length ? received : received.slice(0, start)) + data.text;
      emit({ kind: 'text', text: received });
    } else if (event === 'done') {
      finish(data);
    } else if (event === 'error') {
      apiError = Object.assign(new Error(data.msg), { status: data.code, error: data.error });
    }
  };
  /** Returns true if nothing more is to be read. */
  const onEvent = (event: PlacedEvent) => {
    if (!ended.aborted) take(event);
    return isDone || apiError !== null;
  };

  /** Uploads the question with its files and reads events until its record exists. */
  const upload = async (question: ChatQuestion, files: readonly File[]) => {
    const answer = await uploadFiles(question, files, {
      http,
      signal: ended,
      onUpload: (loaded, total) => ended.aborted || emit({ kind: 'upload', loaded, total }),
      onEvent,
    });
    if (answer) finish(wholeAnswer(answer));
  };

  const nextRequest = (): Parameters<Http['request']>[0] => {
    if (isConfirmed)
      return { method: 'get', url: `/api/chat/${recordId}`, headers: { 'Last-Event-ID': received.length } };
    if (request.kind === 'ask') return { method: 'post', url: '/api/chat', data: request.question };
    const { clientId } = request as Extract<AnswerRequest, { kind: 'retry' }>;
    const data: RetryRequest = { clientId };
    return { method: 'post', url: `/api/chat/${recordId}/retry`, data };
  };
  /** Reads one connection until the answer ends or the connection breaks. */
  const connect = async () => {
    const config = nextRequest();
    isReasoningOld = true;
    const idle = new AbortController();
    const signal = AbortSignal.any([ended, idle.signal]);
    let timeout = setTimeout(() => idle.abort(), idleTimeout);
    const onActivity = () => {
      clearTimeout(timeout);
      timeout = setTimeout(() => idle.abort(), idleTimeout);
    };
    try {
      const { data } = await http.request<ReadableStream<Uint8Array> | ChatAnswer>({
        ...config,
        headers: { ...config.headers, Accept: 'text/event-stream' },
        adapter: 'fetch',
        responseType: 'stream',
        signal,
      });
      if ('getReader' in data) await readEvents(data, { onActivity, signal, onEvent: placed(onEvent) });
      else finish(wholeAnswer(data));
    } catch (reason) {
      throw idle.signal.aborted ? new Error(`no data for ${idleTimeout} ms`) : reason;
    } finally {
      clearTimeout(timeout);
    }
  };

  const pause = async (ms: number) => {
    emit({ kind: 'lost', retryAt: Date.now() + ms });
    isConnectionLost = true;
    const end$ = merge(timer(ms), retryNow$, fromEvent(window, 'online'), fromEvent(ended, 'abort'));
    await firstValueFrom(end$, { defaultValue: undefined });
  };

  return async (): Promise<void> => {
    let failedUploads = 0;
    for (let tries = 1; ; tries += 1) {
      const stepsBefore = steps;
      const isUpload = request.kind === 'ask' && request.files?.length && !recordId;
      const turn = isUpload ? upload(request.question, request.files!) : connect();
      const failure = await turn.then(
        () => asFailure(new Error('the stream ended before the answer was complete')),
        asFailure,
      );
      if (ended.aborted || isDone) return;
      if (apiError) throw apiError;
      if (isUpload && recordId) {
        tries = 0;
        continue;
      }
      if (steps > stepsBefore) tries = 1;
      if (isUpload && navigator.onLine) failedUploads += 1;
      if (!isRetryable(failure) || failedUploads >= MAX_UPLOAD_ATTEMPTS) throw failure;
      const delay = retryDelays[Math.min(tries, retryDelays.length) - 1]!;
      await pause(failure.retryAfter ? failure.retryAfter * 1000 : delay);
      if (ended.aborted) return;
    }
  };
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

type Progress = { loaded: number; total?: number };

interface Upload {
  http: Pick<Http, 'request'>;
  signal: AbortSignal;
  onUpload(loaded: number, total: number): void;
  /** Returns true to stop reading. */
  onEvent(event: PlacedEvent): boolean;
}

/**
 * Sends POST /api/predict and reads events until the record exists; after that the answer is read like any other. Uses XMLHttpRequest, the
 * only API that reports upload progress. axios passes its growing text on only a few times per second, which is enough for the progress of reading
 * but too slow for streamed text. Resolves with the answer if the server sent plain JSON. Rejects like `http`.
 */
async function uploadFiles(
  question: ChatQuestion,
  files: readonly File[],
  { http, signal, onUpload, onEvent }: Upload,
): Promise<PredictAnswer | null> {
  const readingEnded = new AbortController();
  const events = createEventReader(
    placed((event) => {
      const isOver = onEvent(event);
      if (isOver || event.event === 'record') readingEnded.abort();
      return isOver || event.event === 'record';
    }),
  );
  let broken: unknown;
  let parsedLength = 0;
  const feed = (text: unknown) => {
    if (typeof text !== 'string' || events.isOver() || text.length <= parsedLength) return;
    const added = text.slice(parsedLength);
    parsedLength = text.length;
    events.feed(added);
  };
  try {
    const { data } = await http.request<string>({
      method: 'post',
      url: '/api/predict',
      params: { progress: 1 },
      data: formOf(question, files),
      headers: { Accept: 'text/event-stream' },
      adapter: 'xhr',
      responseType: 'text',
      signal: AbortSignal.any([signal, readingEnded.signal]),
      onUploadProgress: ({ loaded, total }: Progress) => onUpload(loaded, total ?? 0),
      onDownloadProgress: ({ event }: { event?: ProgressEvent<EventTarget> }) => {
        try {
          feed((event?.target as XMLHttpRequest | null)?.responseText);
        } catch (reason) {
          // An error thrown in this callback would not reach the caller.
          broken = reason;
          readingEnded.abort();
        }
      },
    });
    if (data.startsWith('{')) return JSON.parse(data);
    feed(data);
  } catch (reason) {
    if (!events.isOver()) throw broken ?? reason;
  }
  return null;
}

/** The fields come before the files, so that the server can reject invalid fields before all files are uploaded. */
function formOf(question: ChatQuestion, files: readonly File[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(question)) if (value) form.append(name, String(value));
  for (const file of files) form.append('file', file, file.name);
  return form;
}

/** An event with its position: the number of UTF-16 units of the answer that had been sent before it, this event's text included. */
export type PlacedEvent = AnswerEvent & { at: number };

const KNOWN: Record<AnswerEvent['event'], true> = {
  reading: true,
  record: true,
  reasoning: true,
  delta: true,
  done: true,
  error: true,
};

/** A listener of a stream for events of answers; others are ignored. Throws for malformed events, so that the caller can resume. */
export function placed(onEvent: (event: PlacedEvent) => boolean): (event: ServerEvent) => boolean {
  return ({ event, id, data }) =>
    Object.hasOwn(KNOWN, event) &&
    onEvent({ event, data: JSON.parse(data), at: Number(id) || 0 } as PlacedEvent);
}
