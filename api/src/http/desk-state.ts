import type Router from '@koa/router';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { Context } from 'koa';
import type { Types } from 'mongoose';
import type { Language } from '../contract/language.ts';
import type { Uploaded } from './uploaded.ts';

/** What the pipeline knows of a request. Set from the outside in: see app.ts for the order. */
export interface DeskState {
  requestId: string;
  language: Language;
  /** `user:<id>` or `guest:<id>`; set by `identify`. */
  owner: string;
  /** Set where a token came with the request. */
  signedIn?: {
    sessionId: Types.ObjectId;
    user: { _id: Types.ObjectId; username: string; isFirst: boolean; isEditor: boolean | null };
  };
  /** Whose token publishes: 'ops', or the remote of a release token; set by `needPublisher`. */
  publisher: string;
  /** What `body` has checked. */
  body: unknown;
  /** What `takeUpload` has taken in. */
  uploaded: Uploaded;
}

/** A request within a route. */
export type DeskContext = RouterContext<DeskState>;
export type DeskMiddleware = RouterMiddleware<DeskState>;
export type DeskRouter = Router<DeskState>;
/** A request anywhere in the pipeline. */
export type AnyContext = Context & { state: DeskState };
