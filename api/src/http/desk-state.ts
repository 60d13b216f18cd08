import type Router from '@koa/router';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { Types } from 'mongoose';
import type { Language } from '../contract/language.ts';
import type { GivenRole, Right } from '../contract/rights.ts';
import type { TokenScope } from '../contract/tokens.ts';
import type { Uploaded } from './uploaded.ts';

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
