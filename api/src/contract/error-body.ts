import type { CheckFinding } from './compositions.ts';
import type { Contact } from './records.ts';

/** Every failure. `code` is the HTTP status, `error` a stable name, `msg` a sentence in the visitor's language. */
export interface ErrorBody {
  code: number;
  msg: string;
  error: ErrorName;
  requestId: string;
  /** The offending field of an `invalid_request`. */
  field?: string;
  /** The contacts that an `ambiguous_contact` could mean. */
  choices?: Contact[];
  /** What is wrong with a composition that a `check_failed` kept from going live. */
  findings?: CheckFinding[];
  /** Bytes that may still be uploaded, where a quota refused more. */
  remaining?: number;
  /** What a `model_failed` had said, which is kept, and where. */
  response?: string;
  recordId?: string;
  conversationId?: string;
}

export type ErrorName =
  | 'invalid_request'
  | 'session_ended'
  | 'sign_in_required'
  | 'csrf_failed'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'ambiguous_contact'
  | 'undo_used'
  | 'expired'
  | 'too_large'
  | 'unsupported_type'
  | 'unreadable_file'
  | 'ops_token_wrong'
  | 'check_failed'
  | 'version_taken'
  | 'rate_limited'
  | 'unavailable'
  | 'model_failed'
  | 'internal';
