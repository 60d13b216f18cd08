import { z } from 'zod';
import { AnswerSource, Citation, Judgement } from './answers.ts';
import { ErrorBody } from './error-body.ts';
import { exactPartial, maxContactLength } from './fields.ts';
import { PredictFiles, ReadingProgress } from './files.ts';
import { DeskRecord, RecordStatus } from './records.ts';

const wellFormed = z.string().transform((text) => text.toWellFormed());
const clientId = wellFormed.pipe(z.string().min(1).max(64)).meta({ minLength: 1, maxLength: 64 });
const trimmed = wellFormed.transform((text) => text.trim());
// Measured after normalisation: NFKC can turn one character into many.
const contact = wellFormed
  .transform((text) => text.normalize('NFKC').trim())
  .pipe(z.string().max(maxContactLength))
  .meta({ maxLength: maxContactLength });

/**
 * POST /api/chat. `text` is 1–8,000 characters after trimming. `clientId` (at most 64 characters, unique per
 * owner) makes a repeated request idempotent: with the same text it joins or returns the same record, with
 * another text it gets 409.
 */
export const ChatQuestion = z.object({
  text: trimmed.pipe(z.string().min(1).max(8000)).meta({ minLength: 1, maxLength: 8000 }),
  contact: contact.exactOptional(),
  contactName: contact.exactOptional(),
  conversationId: z.string().exactOptional(),
  clientId: clientId.exactOptional(),
  /** Name of a model of GET /api/models; `none` uses the knowledge base only. Default: the default model. */
  model: z.string().max(100).exactOptional(),
  /**
   * Id of the record whose question this one replaces, in the same conversation and with the same files; the earlier version remains. Without
   * `contact` it is for the same contact.
   */
  versionOf: z.string().max(100).exactOptional(),
  /** Answers the question without the earlier ones of its conversation. */
  isAlone: z.boolean().exactOptional(),
});
export type ChatQuestion = z.input<typeof ChatQuestion>;

/**
 * POST /api/chat/:recordId/retry; the body is optional. A repeated request with the same `clientId` (at most
 * 64 characters) joins the answer that the first one started.
 */
export const RetryRequest = z.object({ clientId: clientId.exactOptional() });
export type RetryRequest = z.input<typeof RetryRequest>;

/** POST /api/chat/:recordId/stop. */
export const StopReply = z.object({ recordId: z.string(), status: RecordStatus });
export type StopReply = z.infer<typeof StopReply>;

/** The JSON response of POST /api/chat. `outcome` is only missing in answers of earlier versions. */
export const ChatAnswer = exactPartial(Judgement).extend({
  response: z.string(),
  recordId: z.string(),
  conversationId: z.string(),
  citations: z.array(Citation),
  source: AnswerSource,
});
export type ChatAnswer = z.infer<typeof ChatAnswer>;

/**
 * POST /api/predict, multipart: `file` 1–10 times, and these fields. Without `text` the files are summarised.
 * `MAX_UPLOAD_MB` limits all files of a request together, `MAX_PAGES` each file.
 */
export const PredictQuestion = ChatQuestion.omit({ versionOf: true }).extend({
  text: trimmed.pipe(z.string().max(8000)).meta({ maxLength: 8000 }).default(''),
});
export type PredictQuestion = z.input<typeof PredictQuestion>;

/** The JSON response of POST /api/predict. As events, `done` contains these fields as well. */
export const PredictAnswer = ChatAnswer.extend(PredictFiles.shape);
export type PredictAnswer = z.infer<typeof PredictAnswer>;

/** The question as it was stored. Earlier versions of the API send only the ids. */
export const AcceptedQuestion = z
  .object({ recordId: z.string(), conversationId: z.string(), clientId: z.string().nullable() })
  .extend(
    exactPartial(
      DeskRecord.pick({
        contact: true,
        question: true,
        isImage: true,
        url: true,
        imgUrls: true,
        files: true,
      }),
    ).shape,
  );
export type AcceptedQuestion = z.infer<typeof AcceptedQuestion>;

/**
 * The same as server-sent events: one `record`, any number of `delta`, then one `done` or `error`. Every
 * event's id is the number of UTF-16 units sent so far (`record`: 0), so `Last-Event-ID: N` on GET
 * /api/chat/:recordId continues after unit N. The concatenated deltas equal `response`. `reasoning` is sent
 * while a model reasons; it does not count units, and a reader that resumes gets all of it again in one event
 * first. `reading` precedes `record`, only with POST /api/predict?progress=1 and slow files: afterwards, an
 * unreadable file is an `error` without `recordId`.
 */
export const AnswerEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('reading'), data: ReadingProgress }),
  z.object({ event: z.literal('record'), data: AcceptedQuestion }),
  z.object({ event: z.literal('reasoning'), data: z.object({ text: z.string() }) }),
  z.object({ event: z.literal('delta'), data: z.object({ text: z.string() }) }),
  z.object({
    event: z.literal('done'),
    data: ChatAnswer.extend(exactPartial(PredictFiles).shape).extend({
      status: RecordStatus.exclude(['answering']),
      suggestions: z.array(z.string()),
      /** Name of the model that answered; '' or missing if none did. */
      model: z.string().exactOptional(),
    }),
  }),
  z.object({ event: z.literal('error'), data: ErrorBody.extend({ recordId: z.string().exactOptional() }) }),
]);
export type AnswerEvent = z.infer<typeof AnswerEvent>;
