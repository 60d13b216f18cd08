import type { z } from 'zod';
import type { CheckFinding } from '../contract/compositions.ts';
import type { ErrorBody, ErrorName } from '../contract/error-body.ts';
import type { Language } from '../contract/language.ts';
import type { Contact } from '../contract/records.ts';
import type { SettingsRevision } from '../contract/settings.ts';
import { type MessageKey, messageOf } from './error-messages.ts';
import { reasonOf } from './field-reason.ts';
import { type ModelFailureKind, modelFailures } from './model-failures.ts';

interface Details {
  field?: string;
  choices?: Contact[];
  /** The current settings, if others have changed them. */
  current?: SettingsRevision;
  /** Why a composition cannot go live. */
  findings?: CheckFinding[];
  /** Number of items imported before the failure. */
  count?: number;
  /** The file that a message is about. */
  name?: string;
  /** Author and reason of what prevents a change, and when that ends. */
  author?: string;
  reason?: string | readonly [zh: string, en: string];
  until?: Date;
  /** Retry-After in seconds. */
  retryAfter?: number;
  /** Bytes that the caller may still upload. */
  remaining?: number;
  /** The partial text of an interrupted answer, and its record. */
  said?: { response: string; recordId: string; conversationId: string };
}

/** An error that is reported to the client. Thrown anywhere, converted to a response by one middleware. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly error: ErrorName;
  readonly key: MessageKey;
  readonly details: Details;

  constructor(status: number, error: ErrorName, key: MessageKey, details: Details = {}) {
    super(messageOf(key, 'en', details));
    this.status = status;
    this.error = error;
    this.key = key;
    this.details = details;
  }
}

/** The uniform error body. */
export function errorBody(failure: ApiError, language: Language, requestId: string): ErrorBody {
  const { field, choices, current, findings, remaining, said } = failure.details;
  return {
    code: failure.status,
    msg: messageOf(failure.key, language, failure.details),
    error: failure.error,
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
export function invalidRequest(field: string, key: MessageKey = 'invalid_field'): ApiError {
  return new ApiError(400, 'invalid_request', key, { field });
}

/** 400: a schema refused the field, with its reason. */
export function invalidField(field: string, issue: z.core.$ZodIssue | undefined): ApiError {
  if (!issue) return invalidRequest(field);
  return new ApiError(400, 'invalid_request', 'invalid_field_because', { field, reason: reasonOf(issue) });
}

/** An import that failed because of `cause` after `count` records. */
export function importStopped(cause: ApiError, count: number): ApiError {
  const key = cause.error === 'invalid_request' ? 'import_stopped_at' : 'import_stopped';
  return new ApiError(cause.status, cause.error, key, { ...cause.details, count });
}

/** The same for an import of knowledge, after `count` documents and pairs. */
export function knowledgeImportStopped(cause: ApiError, count: number): ApiError {
  const key = cause.error === 'invalid_request' ? 'knowledge_import_stopped_at' : 'knowledge_import_stopped';
  return new ApiError(cause.status, cause.error, key, { ...cause.details, count });
}

/** 401: the token is unknown, expired or ended. */
export function sessionEnded(): ApiError {
  return new ApiError(401, 'session_ended', 'session_ended');
}

/** 401: a token is required. */
export function signInRequired(): ApiError {
  return new ApiError(401, 'sign_in_required', 'sign_in_required');
}

export function csrfFailed(): ApiError {
  return new ApiError(403, 'csrf_failed', 'csrf_failed');
}

/** 421: the requested host is not that of PUBLIC_URL. */
export function wrongHost(): ApiError {
  return new ApiError(421, 'invalid_request', 'wrong_host', { field: 'Host' });
}

export function forbidden(
  key: 'forbidden' | 'forbidden_release' | 'own_change' | 'token_newer_than_change' = 'forbidden',
): ApiError {
  return new ApiError(403, 'forbidden', key);
}

/** 403: the token of operations or a team lacks `scope`. */
export function scopeMissing(scope: string): ApiError {
  return new ApiError(403, 'forbidden', 'scope_missing', { field: scope });
}

/** 409: names of tokens are never reused, so that the history is unambiguous. */
export function tokenNameTaken(): ApiError {
  return new ApiError(409, 'conflict', 'token_name_taken', { field: 'name' });
}

/** 409: a pending change that was applied, rejected or has expired, or whose requester's token was revoked. */
export function changeNotWaiting(key: 'change_not_waiting' | 'change_token_revoked'): ApiError {
  return new ApiError(409, 'conflict', key, { field: 'change' });
}

/** 409: nobody could create tokens any more. */
export function lastAdminToken(): ApiError {
  return new ApiError(409, 'conflict', 'last_admin_token', { field: 'id' });
}

/**
 * 401: the token is unknown, expired or revoked. Different from `session_ended`, so that no visitor is signed
 * out.
 */
export function opsTokenWrong(): ApiError {
  return new ApiError(401, 'ops_token_wrong', 'ops_token_wrong');
}

/** 422: a composition that would not work. */
export function checkFailed(findings: CheckFinding[]): ApiError {
  return new ApiError(422, 'check_failed', 'check_failed', { findings });
}

/** 409: the request does not match the state of the canary. */
export function canaryConflict(
  key:
    | 'canary_stands'
    | 'canary_is_live'
    | 'canary_halted'
    | 'canary_too_many'
    | 'canary_several'
    | 'canary_no_plan'
    | 'canary_paused'
    | 'canary_not_paused',
): ApiError {
  return new ApiError(409, 'conflict', key, key === 'canary_several' ? { field: 'canary' } : {});
}

/** 409: an environment has at most `count` webhooks. */
export function tooManyWebhooks(count: number): ApiError {
  return new ApiError(409, 'conflict', 'too_many_webhooks', { count });
}

/** 409: nothing else may go live at the moment. */
export function frozen({ until, author, reason }: { until: Date; author: string; reason: string }): ApiError {
  return new ApiError(409, 'conflict', 'frozen', { field: 'freeze', author, reason, until });
}

/** 409: the live release of this part must not change. */
export function pinned({ part, author, reason }: { part: string; author: string; reason: string }): ApiError {
  return new ApiError(409, 'conflict', 'pinned', { field: 'pin', name: part, author, reason });
}

/** 409: the version exists with different content, and nothing is ever overwritten. */
export function versionTaken(): ApiError {
  return new ApiError(409, 'version_taken', 'version_taken');
}

/** 400: the address of a self-hosted release must be at one of RELEASE_ORIGINS. */
export function wrongReleaseAddress(): ApiError {
  return new ApiError(400, 'invalid_request', 'release_address', { field: 'address' });
}

/** 400: the content for the file `name` of a release does not match its declaration. */
export function wrongReleaseFile(name: string): ApiError {
  return new ApiError(400, 'invalid_request', 'release_file', { field: 'body', name });
}

/** 409: `count` files of a release are missing or corrupted. */
export function releaseIncomplete(count: number): ApiError {
  return new ApiError(409, 'conflict', 'release_incomplete', { field: 'files', count });
}

/** 409: the pointer has moved since the change was decided. */
export function pointerMoved(): ApiError {
  return new ApiError(409, 'conflict', 'pointer_moved', { field: 'revision' });
}

/** 404: releases of an imported composition that this server does not have. */
export function releasesMissing(names: readonly string[]): ApiError {
  return new ApiError(404, 'not_found', 'releases_missing', { field: 'releases', name: names.join(', ') });
}

/** 409: releases of an imported composition that this server has with other content. */
export function releasesDiffer(names: readonly string[]): ApiError {
  return new ApiError(409, 'version_taken', 'releases_differ', { field: 'releases', name: names.join(', ') });
}

/** 409: the environment that a selection is promoted from serves something else by now. */
export function promotionSourceMoved(): ApiError {
  return new ApiError(409, 'conflict', 'promotion_source_moved', { field: 'promotedFrom' });
}

/** 404, also for data of other owners. `name` says which one, if a request names several. */
export function notFound(
  what:
    | 'page'
    | 'record'
    | 'conversation'
    | 'contact'
    | 'share'
    | 'passage'
    | 'file'
    | 'session'
    | 'undo'
    | 'why'
    | 'document'
    | 'pair'
    | 'handover'
    | 'question'
    | 'release'
    | 'composition'
    | 'previous'
    | 'working'
    | 'canary'
    | 'freeze'
    | 'pin'
    | 'remote'
    | 'yank'
    | 'webhook'
    | 'delivery'
    | 'account'
    | 'revision'
    | 'logo'
    | 'token'
    | 'change',
  name?: string,
): ApiError {
  return new ApiError(404, 'not_found', `not_found_${what}`, name === undefined ? {} : { name });
}

/** 409: an abbreviated composition id that matches several. */
export function ambiguousComposition(): ApiError {
  return new ApiError(409, 'conflict', 'ambiguous_composition');
}

export function conflict(key: 'conflict' | 'conflict_client_id' | 'conflict_contact' = 'conflict'): ApiError {
  const field = { conflict: undefined, conflict_client_id: 'clientId', conflict_contact: 'revision' }[key];
  return new ApiError(409, 'conflict', key, field === undefined ? {} : { field });
}

/** 409: another administrator has saved the settings since. */
export function settingsChanged(current: SettingsRevision): ApiError {
  return new ApiError(409, 'conflict', 'settings_changed', { field: 'revision', current });
}

/** 409: another editor's pair has the question, or one of the variants. */
export function pairExists(): ApiError {
  return new ApiError(409, 'conflict', 'pair_exists');
}

/** 409: another agent, with the name `author`, has taken the handover. */
export function handoverTaken(author: string): ApiError {
  return new ApiError(409, 'handover_taken', 'handover_taken', { author });
}

/** 409: nobody can write to a closed handover. */
export function handoverClosed(): ApiError {
  return new ApiError(409, 'handover_closed', 'handover_closed');
}

/** 409: a handover has at most `count` messages. */
export function handoverFull(count: number): ApiError {
  return new ApiError(409, 'conflict', 'handover_full', { count });
}

/** 409: a name that matches several contacts. */
export function ambiguousContact(choices: Contact[]): ApiError {
  return new ApiError(409, 'ambiguous_contact', 'ambiguous_contact', { field: 'contact', choices });
}

export function undoUsed(): ApiError {
  return new ApiError(409, 'undo_used', 'undo_used');
}

export function expired(): ApiError {
  return new ApiError(410, 'expired', 'expired');
}

/** 408: the body of a request did not arrive in time. */
export function requestTimeout(): ApiError {
  return new ApiError(408, 'invalid_request', 'request_timeout', { field: 'body' });
}

/** 413, and 431 for headers. */
export function tooLarge(status: 413 | 431 = 413): ApiError {
  return new ApiError(status, 'too_large', 'too_large');
}

/** 413: more records than one deletion, or one link, allows. */
export function tooManyRecords(key: 'too_many_ids' | 'too_many_found' | 'too_many_shared'): ApiError {
  return new ApiError(413, 'too_large', key);
}

/** The limits of a report. */
export type ReportLimit = 'records' | 'more_records' | 'text' | 'layout';

/**
 * 413: too much for one PDF. `count` is the actual number; for `more_records` a lower bound, for `text` the
 * maximum; not used for `layout`.
 */
export function reportTooLarge(what: ReportLimit, count = 0): ApiError {
  return new ApiError(413, 'too_large', `report_${what}`, { count });
}

/** The limits of a file. */
export type FileLimit = 'pages' | 'text' | 'unpacked' | 'pixels' | 'memory';

/** 413: a file exceeds the limit `count`: pages, characters, MB, megapixels, or MB of memory. */
export function fileTooLarge(what: FileLimit, count: number): ApiError {
  return new ApiError(413, 'too_large', `file_${what}`, { count });
}

/** 413: a logo of more than `maxBytes`, or of too many pixels. */
export function logoTooLarge(maxBytes: number): ApiError {
  return new ApiError(413, 'too_large', 'logo_too_large', { field: 'logo', count: maxBytes / 1024 });
}

/** 415. `unsupported_file` is for an upload, `unsupported_type` for the body of a request. */
export function unsupportedType(
  key: 'unsupported_type' | 'unsupported_file' | 'unsupported_logo' = 'unsupported_type',
): ApiError {
  return new ApiError(415, 'unsupported_type', key);
}

/**
 * Why a file cannot be read; `no_text` is a PDF of images without text, `no_words` any other file without
 * usable text.
 */
export type UnreadableReason =
  | 'damaged'
  | 'encrypted'
  | 'empty'
  | 'too_slow'
  | 'no_text'
  | 'no_words'
  | 'not_decoded';

/** 422. */
export function unreadableFile(reason?: UnreadableReason): ApiError {
  return new ApiError(422, 'unreadable_file', reason ? `unreadable_${reason}` : 'unreadable_file');
}

/** The same error, about the file `name` among several. */
export function ofFile(failure: ApiError, name: string): ApiError {
  return new ApiError(failure.status, failure.error, failure.key, {
    ...failure.details,
    field: 'file',
    name,
  });
}

/** 413: all files of a request together exceed MAX_UPLOAD_MB. */
export function uploadTooLarge(maxMb: number): ApiError {
  return new ApiError(413, 'too_large', 'upload_too_large', { field: 'file', count: maxMb });
}

/** 429: the caller's daily upload quota has only `remaining` bytes left. `retryAfter` in seconds. */
export function quotaUsed(remaining: number, retryAfter: number): ApiError {
  return new ApiError(429, 'rate_limited', 'quota_used', {
    remaining,
    count: megabytes(remaining),
    retryAfter,
  });
}

/** 413: only `remaining` bytes are left for the owner's files. */
export function quotaFull(remaining: number): ApiError {
  return new ApiError(413, 'too_large', 'quota_full', {
    field: 'file',
    remaining,
    count: megabytes(remaining),
  });
}

/** With one decimal, rounded down. */
function megabytes(bytes: number): number {
  return Math.floor((bytes / (1024 * 1024)) * 10) / 10;
}

/** 413: too many files in one request. */
export function tooManyFiles(max: number): ApiError {
  return new ApiError(413, 'too_large', 'too_many_files', { field: 'file', count: max });
}

/** 503: there is no disk space for the upload. */
export function diskFull(): ApiError {
  return new ApiError(503, 'unavailable', 'disk_full', { retryAfter: 60 });
}

/** 429. `retryAfter` in seconds. */
export function rateLimited(retryAfter: number): ApiError {
  return new ApiError(429, 'rate_limited', 'rate_limited', { retryAfter });
}

/** 503: the store, or another temporary dependency, does not respond. */
export function unavailable(retryAfter = 2): ApiError {
  return new ApiError(503, 'unavailable', 'unavailable', { retryAfter });
}

/** 503: the store aborted a query that reached its time limit. */
export function queryTooSlow(): ApiError {
  return new ApiError(503, 'unavailable', 'query_too_slow', { retryAfter: 10 });
}

/** 502: an answer was interrupted, by a model's failure if `kind` is given. */
export function modelFailed(kind?: ModelFailureKind): ApiError {
  return new ApiError(502, 'model_failed', kind ? `model_${kind}` : 'model_failed');
}

/** Why an answer was interrupted, as stored with its record; null if it was not a model failure. */
export function modelFailureOf({ error, key }: ApiError): ModelFailureKind | null {
  const kind = error === 'model_failed' ? key.slice('model_'.length) : '';
  return kind in modelFailures ? (kind as ModelFailureKind) : null;
}

export function internal(): ApiError {
  return new ApiError(500, 'internal', 'internal');
}
