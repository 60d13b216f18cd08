import { z } from 'zod';
import { CheckFinding } from './compositions.ts';
import { Contact } from './records.ts';
import { SettingsRevision } from './settings.ts';

export const ErrorName = z.enum([
  'invalid_request',
  'session_ended',
  'sign_in_required',
  'csrf_failed',
  'forbidden',
  'not_found',
  'conflict',
  'ambiguous_contact',
  'undo_used',
  'handover_taken',
  'handover_closed',
  'expired',
  'too_large',
  'unsupported_type',
  'unreadable_file',
  'ops_token_wrong',
  'check_failed',
  'version_taken',
  'rate_limited',
  'unavailable',
  'model_failed',
  'internal',
]);
export type ErrorName = z.infer<typeof ErrorName>;

/**
 * Body of every error response. `code` is the HTTP status, `error` a stable name, `msg` a sentence in the
 * visitor's language.
 */
export const ErrorBody = z.object({
  code: z.number(),
  msg: z.string(),
  error: ErrorName,
  requestId: z.string(),
  /** The invalid field of an `invalid_request`. */
  field: z.string().exactOptional(),
  /** The contacts that match in an `ambiguous_contact`. */
  choices: z.array(Contact).exactOptional(),
  /** The current settings, in a `conflict` because others have changed them. */
  current: SettingsRevision.exactOptional(),
  /** The problems of a composition in a `check_failed`. */
  findings: z.array(CheckFinding).exactOptional(),
  /** Bytes that may still be uploaded, if a quota was exceeded. */
  remaining: z.number().exactOptional(),
  /** The partial answer of a `model_failed`, which is stored, and its record. */
  response: z.string().exactOptional(),
  recordId: z.string().exactOptional(),
  conversationId: z.string().exactOptional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
