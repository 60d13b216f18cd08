import type { AnswerEvent, ChatQuestion, PredictAnswer } from 'api/contract/chat';
import type { Http } from 'host/contract';
import { createEventReader, type PlacedEvent } from '../conversation/read-events.ts';

type Progress = { loaded: number; total?: number };

interface Upload {
  http: Pick<Http, 'request'>;
  /** Aborting cancels the upload. */
  signal: AbortSignal;
  onUpload(loaded: number, total: number): void;
  /** Returns true when it has heard enough. */
  onEvent(event: PlacedEvent): boolean;
}

/**
 * POST /api/predict, heard until the question has its record; from there on an answer is listened to as every other is. Browsers tell
 * how much has been sent for XMLHttpRequest alone, and axios tells its growing text a few times a second: enough for pages that are
 * read, too little for an answer that is written. Resolves with a whole answer when that is what came. Rejects as `http` does.
 */
export async function uploadFiles(
  question: ChatQuestion,
  files: readonly File[],
  { http, signal, onUpload, onEvent }: Upload,
): Promise<Extract<AnswerEvent, { event: 'done' }>['data'] | null> {
  const enough = new AbortController();
  const events = createEventReader((event) => {
    const isOver = onEvent(event);
    if (isOver || event.event === 'record') enough.abort();
    return isOver || event.event === 'record';
  });
  let broken: unknown;
  let fed = 0;
  const feed = (text: unknown) => {
    if (typeof text !== 'string' || events.isOver() || text.length <= fed) return;
    const fresh = text.slice(fed);
    fed = text.length;
    events.feed(fresh);
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
      signal: AbortSignal.any([signal, enough.signal]),
      onUploadProgress: ({ loaded, total }: Progress) => onUpload(loaded, total ?? 0),
      onDownloadProgress: ({ event }: { event?: ProgressEvent<EventTarget> }) => {
        try {
          feed((event?.target as XMLHttpRequest | null)?.responseText);
        } catch (reason) {
          // Thrown here it would be nobody's.
          broken = reason;
          enough.abort();
        }
      },
    });
    if (data.startsWith('{')) return wholeAnswer(JSON.parse(data));
    feed(data);
  } catch (reason) {
    if (!events.isOver()) throw broken ?? reason;
  }
  return null;
}

/** The fields stand before the files, so that a wrong one is told before all of them have been sent. */
function formOf(question: ChatQuestion, files: readonly File[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(question)) if (value) form.append(name, value);
  for (const file of files) form.append('file', file, file.name);
  return form;
}

function wholeAnswer(answer: PredictAnswer) {
  return { ...answer, status: 'done' as const, suggestions: [] };
}
