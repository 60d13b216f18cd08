import type { z } from 'zod';
import type { CheckFinding } from '../contract/compositions.ts';
import type { ErrorBody, ErrorName } from '../contract/error-body.ts';
import type { Language } from '../contract/language.ts';
import type { Contact } from '../contract/records.ts';
import type { SettingsRevision } from '../contract/settings.ts';
import { type Text, type TextKey, textsOf } from '../i18n/texts-of.ts';
import table from './errors.json' with { type: 'json' };
import { reasonOf } from './field-reason.ts';
import { type ModelFailureKind, modelFailures } from './model-failures.ts';

type ErrorRow = Pick<ErrorBody, 'error'> & {
  status: number;
  /** The invalid field or cause, unless the details name another. */
  field?: string;
  /** Retry-After in seconds, unless the details name another. */
  retryAfter?: number;
};

type NotFoundKey = Extract<TextKey<'errors'>, `not_found_${string}`>;

/** The messages of all errors that are reported to clients, in `locales/<language>/errors.json`. */
export type ErrorKey = keyof typeof table | NotFoundKey;

/** The row of all keys `not_found_…`. */
const notFoundRow: ErrorRow = { status: 404, error: 'not_found' };

const rowOf = (key: ErrorKey): ErrorRow =>
  Object.hasOwn(table, key) ? (table as Record<string, ErrorRow>)[key]! : notFoundRow;

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
    const { status, error, ...defaults } = rowOf(key);
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
