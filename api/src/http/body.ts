import type { Context } from 'koa';
import type { z } from 'zod';
import { invalidRequest } from '../errors/errors.ts';
import type { DeskMiddleware } from './desk-state.ts';
import { readJson } from './read-json.ts';

/** Reads a call's JSON and holds it against `schema`. The handler gets it from `bodyOf(ctx, schema)`. */
export function body(schema: z.ZodType): DeskMiddleware {
  return async (ctx, next) => {
    const json = await readJson(ctx);
    ctx.state.body = checked(schema, json === undefined ? {} : json, 'body');
    await next();
  };
}

/** For calls that take nothing: a body that is not JSON is refused all the same. */
export function noBody(): DeskMiddleware {
  return async (ctx, next) => {
    await readJson(ctx);
    await next();
  };
}

/** What `body(schema)` has read. */
export function bodyOf<T>(ctx: Pick<Context, 'state'>, _schema: z.ZodType<T>): T {
  return ctx.state.body as T;
}

/** The query of a call, held against `schema`. */
export function queryOf<T>(ctx: Pick<Context, 'query'>, schema: z.ZodType<T>): T {
  return checked(schema, { ...ctx.query }, 'query');
}

/** `value`, held against `schema`. @throws invalidRequest that names the first field which is wrong, or `whole`. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, whole: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidRequest(fieldOf(parsed.error.issues[0]) || whole);
}

/** Of a field that a strict schema does not know, its name too, cut: it is whatever somebody sent. */
function fieldOf(issue: z.core.$ZodIssue | undefined): string | undefined {
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return issue && [...issue.path, ...unknown].join('.').slice(0, 100).toWellFormed();
}
