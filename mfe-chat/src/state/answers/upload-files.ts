import type { ChatQuestion, PredictAnswer } from 'api/contract/chat';
import type { Http } from 'host/contract';
import { createEventReader } from 'host/ui/read-events.ts';
import { type PlacedEvent, placed } from './placed-event.ts';

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
export async function uploadFiles(
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
