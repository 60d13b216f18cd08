import type { z } from 'zod';

/** A body: JSON of a schema, or the media type of anything else. */
export type Body = z.ZodType | string;

/** One call of the API: a row of the generated description, and what tests compare routes and responses with. */
export interface Operation {
  summary: string;
  /**
   * Default: every visitor, signed in or as a guest with a cookie. `token`: a token of operations, whose scopes decide;
   * `reader`: an account or any of these tokens.
   */
  access?: 'account' | 'anyone' | 'reader' | 'token';
  query?: z.ZodObject;
  body?: Body;
  /** Files of a multipart request, whose other fields are `body`. */
  files?: number;
  /** Responses by status; null without a body. Errors are `ErrorBody`. */
  replies: Record<number, Body | null>;
  /** Events that the response consists of if the caller accepts `text/event-stream`, or always if `replies` is empty. */
  events?: z.ZodType;
}
