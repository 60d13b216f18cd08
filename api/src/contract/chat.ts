import type { AnswerSource, Citation, Judgement } from './answers.ts';
import type { ErrorBody } from './error-body.ts';
import type { PredictFiles, ReadingProgress } from './files.ts';
import type { DeskRecord, RecordStatus } from './records.ts';

/**
 * POST /api/chat. `text` is 1–8,000 characters after trimming. `clientId` (at most 64 characters, unique per
 * owner) makes a repeated request idempotent: with the same text it joins or returns the same record, with
 * another text it gets 409.
 */
export interface ChatQuestion {
  text: string;
  contact?: string;
  contactName?: string;
  conversationId?: string;
  clientId?: string;
  /** Name of a model of GET /api/models; `none` uses the knowledge base only. Default: the default model. */
  model?: string;
  /**
   * Id of the record whose question this one replaces, in the same conversation and with the same files; the earlier version remains. Without
   * `contact` it is for the same contact.
   */
  versionOf?: string;
  /** Answers the question without the earlier ones of its conversation. */
  isAlone?: boolean;
}

/**
 * POST /api/chat/:recordId/retry; the body is optional. A repeated request with the same `clientId` (at most
 * 64 characters) joins the answer that the first one started.
 */
export interface RetryRequest {
  clientId?: string;
}

/** The JSON response of POST /api/chat. `outcome` is only missing in answers of earlier versions. */
export interface ChatAnswer extends Partial<Judgement> {
  response: string;
  recordId: string;
  conversationId: string;
  citations: Citation[];
  source: AnswerSource;
}

/**
 * POST /api/predict, multipart: `file` 1–10 times, and these fields. Without `text` the files are summarised.
 * `MAX_UPLOAD_MB` limits all files of a request together, `MAX_PAGES` each file.
 */
export interface PredictQuestion {
  text?: string;
  contact?: string;
  contactName?: string;
  conversationId?: string;
  clientId?: string;
  model?: string;
}

/** The JSON response of POST /api/predict. As events, `done` contains these fields as well. */
export type PredictAnswer = ChatAnswer & PredictFiles;

/** The question as it was stored. Earlier versions of the API send only the ids. */
export type AcceptedQuestion = {
  recordId: string;
  conversationId: string;
  clientId: string | null;
} & Partial<Pick<DeskRecord, 'contact' | 'question' | 'isImage' | 'url' | 'imgUrls' | 'files'>>;

/**
 * The same as server-sent events: one `record`, any number of `delta`, then one `done` or `error`. Every
 * event's id is the number of UTF-16 units sent so far (`record`: 0), so `Last-Event-ID: N` on GET
 * /api/chat/:recordId continues after unit N. The concatenated deltas equal `response`. `reasoning` is sent
 * while a model reasons; it does not count units, and a reader that resumes gets all of it again in one event
 * first. `reading` precedes `record`, only with POST /api/predict?progress=1 and slow files: afterwards, an
 * unreadable file is an `error` without `recordId`.
 */
export type AnswerEvent =
  | { event: 'reading'; data: ReadingProgress }
  | { event: 'record'; data: AcceptedQuestion }
  | { event: 'reasoning'; data: { text: string } }
  | { event: 'delta'; data: { text: string } }
  | {
      event: 'done';
      data: ChatAnswer &
        Partial<PredictFiles> & {
          status: Exclude<RecordStatus, 'answering'>;
          suggestions: string[];
          /** Name of the model that answered; '' or missing if none did. */
          model?: string;
        };
    }
  | { event: 'error'; data: ErrorBody & { recordId?: string } };
