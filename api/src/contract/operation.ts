import type { z } from 'zod';
import type { AuditEvent } from './audit.ts';
import type { Right } from './rights.ts';

/** A body: JSON of a schema, or the media type of anything else. */
export type Body = z.ZodType | string;

/**
 * Who may make a call.
 * - A right: accounts with it; guests have only the right `ask`.
 * - `account`: every account.
 * - `edit_collection`: accounts with the right to edit knowledge, and editors of a collection; the service decides which knowledge.
 * - `anyone`: everyone, without being identified. `link`: the same; with REQUIRE_SIGN_IN, every account.
 * - `token`: a token of operations with the necessary scope. `reader`: an account or any of these tokens.
 */
export type Access = Right | 'account' | 'edit_collection' | 'anyone' | 'link' | 'reader' | 'token';

/** One call of the API. The API description is generated from it, and tests compare routes and responses with it. */
export interface Operation {
  /** Below /api and /admin enforced for the route, see accounts/guard-routes.ts; below /ops, the route names the scope. */
  access: Access;
  /** What the audit log records if it succeeds. */
  audit?: AuditEvent | undefined;
  query?: z.ZodObject | undefined;
  body?: Body | undefined;
  /** Files of a multipart request, whose other fields are `body`. */
  files?: number | undefined;
  /** Responses by status; null without a body. Errors are `ErrorBody`. */
  replies: Record<number, Body | null>;
  /** Events that the response consists of if the caller accepts `text/event-stream`, or always if `replies` is empty. */
  events?: z.ZodType | undefined;
}

/**
 * Describes calls with this access, audited as `usualAudit` unless they say otherwise. `of` has the responses by their status, and the other fields of an
 * operation.
 */
export const callsOf =
  (access: Access, usualAudit?: AuditEvent) =>
  ({
    audit = usualAudit,
    query,
    body,
    files,
    events,
    ...replies
  }: Described & Operation['replies']): Operation => ({
    access,
    audit,
    query,
    body,
    files,
    events,
    replies,
  });

type Described = Omit<Operation, 'access' | 'replies'>;
