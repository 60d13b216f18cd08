import { buffer } from 'node:stream/consumers';
import type { z } from 'zod';
import { ApiError } from '../errors/errors.ts';
import { checked } from './body.ts';
import type { DeskMiddleware } from './desk-state.ts';
import { readBody } from './read-body.ts';

/** A question of 8,000 characters, each of which may take 12 bytes. */
const MAX_BYTES = 128 * 1024;

/** Parses the fields of an HTML form and validates them with `schema`. The handler gets them from `bodyOf(ctx, schema)`. */
export function form(schema: z.ZodType): DeskMiddleware {
  return async (ctx, next) => {
    if (!ctx.is('application/x-www-form-urlencoded')) throw new ApiError('unsupported_type');
    const whole = await buffer(readBody(ctx, { maxBytes: MAX_BYTES }));
    const fields = new URLSearchParams(whole.toString('utf8'));
    // Browsers send CRLF for every line break.
    const values = [...fields].map(([name, value]) => [name, value.replace(/\r\n/g, '\n')] as const);
    ctx.state.body = checked(schema, Object.fromEntries(values), 'body');
    await next();
  };
}
