import { randomUUID } from 'node:crypto';
import type Router from '@koa/router';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { Middleware } from 'koa';
import type { Types } from 'mongoose';
import { type Language, languages } from '../contract/language.ts';
import type { GivenRole, Right } from '../contract/rights.ts';
import type { TokenScope } from '../contract/tokens.ts';
import { languageOfLocale } from '../i18n/texts-of.ts';

export interface SessionUser {
  _id: Types.ObjectId;
  username: string;
  roles?: readonly GivenRole[] | null;
  groups?: readonly string[] | null;
  groupRoles?: readonly GivenRole[];
}

/** State of a request, set by the middleware in the order of app.ts. */
export interface DeskState {
  requestId: string;
  /** Entries of the audit log that are being written. */
  audits: Promise<void>[];
  language: Language;
  /** `user:<id>` or `guest:<id>`; set by `identify`. */
  owner: string;
  /** Set if the request has a session token. */
  signedIn?: { sessionId: Types.ObjectId; user: SessionUser; provider?: string | null };
  /** Aborts when the caller may no longer read the event stream that it requests, or has left. */
  ended?: AbortSignal;
  /** The caller's rights; set for every route below /api and /admin that is not public. */
  rights: readonly Right[];
  /** The token of operations or a team; set by the guards of /ops. */
  opsToken: {
    id: string;
    name: string;
    scopes: readonly TokenScope[];
    createdAt: Date;
    /** null: it does not expire. */
    expiresAt: Date | null;
  };
  /** Set if the path is that of a screen, without any value in it. */
  isScreen?: boolean;
  /** The body validated by `body`. */
  body: unknown;
  /** The upload received by `receiveUpload`. */
  uploaded: Uploaded;
}

export type DeskContext = RouterContext<DeskState>;
export type DeskMiddleware = RouterMiddleware<DeskState>;
export type DeskRouter = Router<DeskState>;

/** The id of a request, for response, log and error body. A trusted proxy's id is reused. */
export function requestId({ trustProxy }: { trustProxy: number }): Middleware<DeskState> {
  return async (ctx, next) => {
    const given = trustProxy > 0 ? ctx.get('X-Request-Id') : '';
    ctx.state.requestId = /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
}

/** Sets the language of `msg` and of answers: the browser's first choice, if there are texts in it. */
export function language(): Middleware<DeskState> {
  return (ctx, next) => {
    const [choice = ''] = ctx.acceptsLanguages();
    ctx.state.language = languageOfLocale(choice) ?? languages[0];
    return next();
  };
}

/** One file of a multipart body, in a temporary file that is deleted at the end of the request. */
export interface UploadedFile {
  path: string;
  /** Name given by the client: the last path segment, well-formed, 1–255 units. Never use it as a path. */
  name: string;
  /** In bytes. */
  size: number;
  /** SHA-256 of its content, lower-case hex. */
  hash: string;
}

/** A multipart body: its files named `file`, in order, at least one, and its text fields. */
export interface Uploaded {
  files: UploadedFile[];
  /** Untrimmed; the last one of the same name. Without a prototype. */
  fields: Record<string, string>;
  /** Keeps the temporary files until `work` has ended, for handlers that respond before reading them. */
  holdFor(work: Promise<unknown>): void;
}
