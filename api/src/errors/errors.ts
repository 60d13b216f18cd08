import type { z } from 'zod';
import type { CheckFinding } from '../contract/compositions.ts';
import type { ErrorBody, ErrorName } from '../contract/error-body.ts';
import type { Language } from '../contract/language.ts';
import type { Contact } from '../contract/records.ts';
import type { SettingsRevision } from '../contract/settings.ts';
import { type Text, type TextKey, textsOf } from '../i18n/texts-of.ts';
import { reasonOf } from './field-reason.ts';
import { type ModelFailureKind, modelFailures } from './model-failures.ts';

interface ErrorRow {
  status: number;
  error: ErrorName;
  /** Messages in `locales/<language>/errors.json`, each in one row only. */
  keys: readonly TextKey<'errors'>[];
  /** The invalid field or cause, unless the details name another. */
  field?: string;
  /** Retry-After in seconds, unless the details name another. */
  retryAfter?: number;
}

/** All errors that are reported to clients, except those of `notFound`. */
const table = [
  {
    status: 400,
    error: 'invalid_request',
    keys: [
      'invalid_field',
      'invalid_field_because',
      'invalid_json',
      'invalid_url',
      'invalid_http',
      'needs_host',
      'freeze_until',
      'webhook_url',
      'override_remote',
      'override_address',
      'composition_edited',
      'import_stopped_at',
      'knowledge_import_stopped_at',
    ],
  },
  { status: 400, error: 'invalid_request', keys: ['release_address'], field: 'address' },
  { status: 400, error: 'invalid_request', keys: ['release_file', 'release_inline_map'], field: 'body' },
  { status: 400, error: 'invalid_request', keys: ['transfer_to'], field: 'to' },
  { status: 401, error: 'session_ended', keys: ['session_ended'] },
  { status: 401, error: 'sign_in_required', keys: ['sign_in_required'] },
  // Not `session_ended`, so that no visitor is signed out.
  { status: 401, error: 'ops_token_wrong', keys: ['ops_token_wrong'] },
  { status: 403, error: 'csrf_failed', keys: ['csrf_failed'] },
  {
    status: 403,
    error: 'forbidden',
    keys: [
      'forbidden',
      'forbidden_release',
      'own_change',
      'token_newer_than_change',
      'scope_missing',
      'wrong_password',
    ],
  },
  { status: 404, error: 'not_found', keys: ['releases_missing'], field: 'releases' },
  { status: 408, error: 'invalid_request', keys: ['request_timeout'], field: 'body' },
  {
    status: 409,
    error: 'conflict',
    keys: [
      'conflict',
      'ambiguous_composition',
      'canary_stands',
      'canary_is_live',
      'canary_halted',
      'canary_too_many',
      'canary_no_plan',
      'canary_paused',
      'canary_not_paused',
      'too_many_webhooks',
      'last_administrator',
      'pair_exists',
      'collection_not_empty',
      'golden_exists',
      'too_many_golden',
      'handover_full',
    ],
  },
  { status: 409, error: 'conflict', keys: ['canary_several'], field: 'canary' },
  { status: 409, error: 'conflict', keys: ['change_not_waiting', 'change_token_revoked'], field: 'change' },
  { status: 409, error: 'conflict', keys: ['conflict_client_id'], field: 'clientId' },
  { status: 409, error: 'conflict', keys: ['frozen'], field: 'freeze' },
  { status: 409, error: 'conflict', keys: ['last_admin_token'], field: 'id' },
  { status: 409, error: 'conflict', keys: ['pinned'], field: 'pin' },
  { status: 409, error: 'conflict', keys: ['promotion_source_moved'], field: 'promotedFrom' },
  { status: 409, error: 'conflict', keys: ['release_incomplete'], field: 'files' },
  {
    status: 409,
    error: 'conflict',
    keys: ['conflict_contact', 'pointer_moved', 'settings_changed'],
    field: 'revision',
  },
  { status: 409, error: 'conflict', keys: ['token_name_taken'], field: 'name' },
  { status: 409, error: 'ambiguous_contact', keys: ['ambiguous_contact'], field: 'contact' },
  { status: 409, error: 'handover_closed', keys: ['handover_closed'] },
  { status: 409, error: 'handover_taken', keys: ['handover_taken'] },
  { status: 409, error: 'undo_used', keys: ['undo_used'] },
  { status: 409, error: 'version_taken', keys: ['version_taken'] },
  { status: 409, error: 'version_taken', keys: ['releases_differ'], field: 'releases' },
  { status: 410, error: 'expired', keys: ['expired', 'sso_expired', 'link_over'] },
  {
    status: 413,
    error: 'too_large',
    keys: [
      'too_large',
      'too_many_ids',
      'too_many_found',
      'too_many_shared',
      'report_records',
      'report_more_records',
      'report_text',
      'report_layout',
      'file_pages',
      'file_text',
      'file_unpacked',
      'file_pixels',
      'file_memory',
    ],
  },
  { status: 413, error: 'too_large', keys: ['logo_too_large'], field: 'logo' },
  {
    status: 413,
    error: 'too_large',
    keys: ['upload_too_large', 'quota_full', 'too_many_files'],
    field: 'file',
  },
  {
    status: 415,
    error: 'unsupported_type',
    // The body of a request, an upload, a logo.
    keys: ['unsupported_type', 'unsupported_file', 'unsupported_logo'],
  },
  { status: 421, error: 'invalid_request', keys: ['wrong_host'], field: 'Host' },
  { status: 422, error: 'check_failed', keys: ['check_failed'] },
  {
    status: 422,
    error: 'unreadable_file',
    keys: [
      'unreadable_file',
      'unreadable_damaged',
      'unreadable_encrypted',
      'unreadable_empty',
      'unreadable_too_slow',
      // A PDF of images without text; any other file without usable text.
      'unreadable_no_text',
      'unreadable_no_words',
      'unreadable_not_decoded',
    ],
  },
  { status: 429, error: 'rate_limited', keys: ['rate_limited', 'quota_used'] },
  { status: 431, error: 'too_large', keys: ['headers_too_large'] },
  { status: 500, error: 'internal', keys: ['internal'] },
  { status: 502, error: 'model_failed', keys: ['model_failed', ...midwayKeys()] },
  { status: 503, error: 'unavailable', keys: ['unavailable'], retryAfter: 2 },
  // With the status and name of their cause.
  { status: 503, error: 'unavailable', keys: ['import_stopped', 'knowledge_import_stopped'] },
  { status: 503, error: 'unavailable', keys: ['query_too_slow'], retryAfter: 10 },
  { status: 503, error: 'unavailable', keys: ['disk_full'], retryAfter: 60 },
] as const satisfies ErrorRow[];

/** The messages of answers that a model's failure interrupted. */
function midwayKeys(): `model_${ModelFailureKind}`[] {
  return (Object.keys(modelFailures) as ModelFailureKind[]).map((kind) => `model_${kind}` as const);
}

type NotFoundKey = Extract<TextKey<'errors'>, `not_found_${string}`>;

export type ErrorKey = (typeof table)[number]['keys'][number] | NotFoundKey;

const rows = new Map<ErrorKey, ErrorRow>(table.flatMap((row) => row.keys.map((key) => [key, row] as const)));

/** The row of all keys `not_found_…`. */
const notFoundRow: ErrorRow = { status: 404, error: 'not_found', keys: [] };

interface Details {
  field?: string;
  choices?: Contact[];
  /** The current settings, if others have changed them. */
  current?: SettingsRevision;
  /** Why a composition cannot go live. */
  findings?: CheckFinding[];
  /** The number in the message: of items imported before the failure, or the limit in the unit of the message. */
  count?: number;
  /** The file, part or releases that the message is about. */
  name?: string;
  /** Author and reason of what prevents a change, and when that ends. */
  author?: string;
  reason?: string | Text;
  until?: Date;
  /** Retry-After in seconds. */
  retryAfter?: number;
  /** Bytes that the caller may still upload. */
  remaining?: number;
  /** The partial text of an interrupted answer, and its record. */
  said?: { response: string; recordId: string; conversationId: string };
}

const textOf = textsOf('errors');

/** An error that is reported to the client. Thrown anywhere, converted to a response by one middleware. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly error: ErrorName;
  readonly key: ErrorKey;
  readonly details: Details;

  /** `cause` decides status and name in place of the table. */
  constructor(key: ErrorKey, details: Details = {}, cause?: Pick<ApiError, 'status' | 'error'>) {
    const { status, error, keys: _, ...defaults } = rows.get(key) ?? notFoundRow;
    const all = { ...defaults, ...details };
    super(messageOf(key, all)('en'));
    this.status = cause?.status ?? status;
    this.error = cause?.error ?? error;
    this.key = key;
    this.details = all;
  }
}

/** The message, prefixed with the name of the file concerned. */
function messageOf(key: ErrorKey, details: Details): Text {
  const { field = '', count = 0, name, author = '', reason = '', until } = details;
  const time = until?.toISOString().replace(/T(.{5}).*/, ' $1 UTC') ?? '';
  const message = textOf(key, { field, count, author, reason, until: time });
  return name === undefined ? message : textOf('about_name', { name, message });
}

export function errorBody(
  { status, key, error, details }: ApiError,
  language: Language,
  requestId: string,
): ErrorBody {
  const { field, choices, current, findings, remaining, said } = details;
  return {
    code: status,
    msg: messageOf(key, details)(language),
    error,
    requestId,
    ...(field === undefined ? {} : { field }),
    ...(choices === undefined ? {} : { choices }),
    ...(current === undefined ? {} : { current }),
    ...(findings === undefined ? {} : { findings }),
    ...(remaining === undefined ? {} : { remaining }),
    ...said,
  };
}

/** 400. `field` is the name of the invalid field, as in the request. */
export function invalidRequest(field: string, key: ErrorKey = 'invalid_field'): ApiError {
  return new ApiError(key, { field });
}

/** 400: a schema refused the field, with its reason. */
export function invalidField(field: string, issue: z.core.$ZodIssue | undefined): ApiError {
  return issue
    ? new ApiError('invalid_field_because', { field, reason: reasonOf(issue) })
    : invalidRequest(field);
}

/** An import that failed because of `cause` after `count` records, or documents and pairs of the knowledge base. */
export function importStopped(cause: ApiError, count: number, of: '' | 'knowledge_' = ''): ApiError {
  const at = cause.error === 'invalid_request' ? '_at' : '';
  return new ApiError(`${of}import_stopped${at}`, { ...cause.details, count }, cause);
}

type NotFound<Key> = Key extends `not_found_${infer What}` ? What : never;

/** 404, also for data of other owners. `name` says which one, if a request names several. */
export function notFound(what: NotFound<NotFoundKey>, name?: string): ApiError {
  return new ApiError(`not_found_${what}`, name === undefined ? {} : { name });
}

/** The limits of a file. */
export type FileLimit = 'pages' | 'text' | 'unpacked' | 'pixels' | 'memory';

type Unreadable<Key> = Key extends `unreadable_${infer Reason}` ? Exclude<Reason, 'file'> : never;

export type UnreadableReason = Unreadable<ErrorKey>;

/** The same error, about the file `name` among several. */
export function ofFile({ key, details }: ApiError, name: string): ApiError {
  return new ApiError(key, { ...details, field: 'file', name });
}

/** Details of an error about a quota of which `remaining` bytes are left; the message shows MB with one decimal, rounded down. */
export function leftOf(remaining: number): { remaining: number; count: number } {
  return { remaining, count: Math.floor((remaining / (1024 * 1024)) * 10) / 10 };
}

/** 502: an answer was interrupted, by a model's failure if `kind` is given. */
export function modelFailed(kind?: ModelFailureKind): ApiError {
  return new ApiError(kind ? `model_${kind}` : 'model_failed');
}

/** Why an answer was interrupted, as stored with its record; null if it was not a model failure. */
export function modelFailureOf({ error, key }: ApiError): ModelFailureKind | null {
  const kind = error === 'model_failed' ? key.slice('model_'.length) : '';
  return kind in modelFailures ? (kind as ModelFailureKind) : null;
}
