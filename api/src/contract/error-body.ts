import type { CheckFinding } from './compositions.ts';
import type { Contact } from './records.ts';
import type { SettingsRevision } from './settings.ts';

/**
 * Body of every error response. `code` is the HTTP status, `error` a stable name, `msg` a sentence in the
 * visitor's language.
 */
export interface ErrorBody {
  code: number;
  msg: string;
  error: ErrorName;
  requestId: string;
  /** The invalid field of an `invalid_request`. */
  field?: string;
  /** The contacts that match in an `ambiguous_contact`. */
  choices?: Contact[];
  /** The current settings, in a `conflict` because others have changed them. */
  current?: SettingsRevision;
  /** The problems of a composition in a `check_failed`. */
  findings?: CheckFinding[];
  /** Bytes that may still be uploaded, if a quota was exceeded. */
  remaining?: number;
  /** The partial answer of a `model_failed`, which is stored, and its record. */
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
  | 'handover_taken'
  | 'handover_closed'
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
