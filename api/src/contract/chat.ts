import type { AnswerSource, Citation } from './answers.ts';
import type { ErrorBody } from './error-body.ts';
import type { PredictFiles, ReadingProgress } from './files.ts';
import type { RecordStatus } from './records.ts';

/**
 * POST /api/chat. `text` is 1–8,000 characters after trimming. `clientId` (at most 64 characters, unique to its owner) makes a
 * retry idempotent: sent again with the same text it joins or returns the same record, with another text it is 409.
 */
export interface ChatQuestion {
  text: string;
  contact?: string;
  contactName?: string;
  conversationId?: string;
  clientId?: string;
  /** Name of a model of GET /api/models; `none` answers from the knowledge base alone. Without one: the default. */
  model?: string;
}

/**
 * POST /api/chat/:recordId/retry; the body may be left out. A retry sent again with the same `clientId` (at most 64 characters) joins the
 * answer that the first one started instead of answering once more.
 */
export interface RetryRequest {
  clientId?: string;
}

/** The JSON answer to POST /api/chat. */
export interface ChatAnswer {
  response: string;
  recordId: string;
  conversationId: string;
  citations: Citation[];
  source: AnswerSource;
}

/**
 * POST /api/predict, multipart: `file` 1–10 times, and these fields. Without `text` the files are summed up.
 * `MAX_UPLOAD_MB` bounds all files of a call together, `MAX_PAGES` each.
 */
export interface PredictQuestion {
  text?: string;
  contact?: string;
  contactName?: string;
  conversationId?: string;
  clientId?: string;
  model?: string;
}

/** The JSON answer to POST /api/predict. As events, `done` holds the same besides its own. */
export type PredictAnswer = ChatAnswer & PredictFiles;

/**
 * The same as server-sent events: one `record`, any number of `delta`, then one `done` or `error`. Every event's id is the number
 * of UTF-16 units sent so far (`record` 0), so `Last-Event-ID: N` on GET /api/chat/:recordId goes on behind unit N.
 * Joined deltas equal `response`. `reasoning` comes where a model thinks aloud; it counts no units, and a resumed reader gets all of
 * it anew in one event before what else it missed. `reading` comes before `record`, from POST /api/predict?progress=1 alone and only
 * while reading takes long: after it, a file that cannot be read is an `error` without `recordId`.
 */
export type AnswerEvent =
  | { event: 'reading'; data: ReadingProgress }
  | { event: 'record'; data: { recordId: string; conversationId: string; clientId: string | null } }
  | { event: 'reasoning'; data: { text: string } }
  | { event: 'delta'; data: { text: string } }
  | {
      event: 'done';
      data: ChatAnswer &
        Partial<PredictFiles> & {
          status: Exclude<RecordStatus, 'answering'>;
          suggestions: string[];
          /** Name of the model that answered; '' or missing when none did. */
          model?: string;
        };
    }
  | { event: 'error'; data: ErrorBody & { recordId?: string } };
