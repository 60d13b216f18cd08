import Router from '@koa/router';
import type { z } from 'zod';
import { body, bodyOf, queryOf } from './body.ts';
import type { DeskContext, DeskMiddleware, DeskRouter, DeskState } from './desk-state.ts';
import { readJson } from './read-json.ts';

/**
 * Returns the body of the response; undefined if the handler has set it, or for 204. `given` is the validated body or query.
 */
export type Answer<T = unknown> = (ctx: DeskContext, given: T) => unknown;

/** Adds a route. Its parts run in this order; a schema validates the JSON body or, for GET, the query after all parts. */
interface AddRoute {
  <T>(path: string, schema: z.ZodType<T>, answer: Answer<T>): void;
  <T>(path: string, schema: z.ZodType<T>, next: DeskMiddleware, answer: Answer<T>): void;
  <T>(path: string, first: DeskMiddleware, schema: z.ZodType<T>, answer: Answer<T>): void;
  <T>(
    path: string,
    first: DeskMiddleware,
    schema: z.ZodType<T>,
    next: DeskMiddleware,
    answer: Answer<T>,
  ): void;
  <T>(
    path: string,
    first: DeskMiddleware,
    next: DeskMiddleware,
    schema: z.ZodType<T>,
    answer: Answer<T>,
  ): void;
  (path: string | RegExp, ...parts: DeskMiddleware[]): void;
}

export type DeskRoutes = ReturnType<typeof createRoutes>;

/** Routes below `prefix`. */
export function createRoutes(prefix = '') {
  const router: DeskRouter = new Router({ prefix });

  const adder =
    (method: 'get' | 'post' | 'put' | 'patch' | 'delete'): AddRoute =>
    (path: string | RegExp, ...parts: unknown[]) => {
      const answer = parts.pop() as Answer<unknown>;
      const schema = parts.find((part) => typeof part !== 'function') as z.ZodType | undefined;
      const isQuery = method === 'get';
      const before = parts
        .filter((part) => part !== schema || !isQuery)
        .map((part) => (part === schema ? body(schema as z.ZodType) : (part as DeskMiddleware)));
      router[method](path, ...before, async (ctx) => {
        const given = schema && (isQuery ? queryOf(ctx, schema) : bodyOf(ctx, schema));
        const result = await answer(ctx, given);
        if (result !== undefined) ctx.body = result;
        else if (ctx.body === undefined && ctx.status === 404) ctx.status = 204;
      });
    };

  return {
    router,
    routes: () => router.routes(),
    /** Before all routes that are added afterwards. */
    use: (middleware: DeskMiddleware) => void router.use<DeskState>(middleware),
    get: adder('get'),
    post: adder('post'),
    put: adder('put'),
    patch: adder('patch'),
    delete: adder('delete'),
  };
}

/** For requests without a body: one that is not JSON is still refused. */
export function noBody(): DeskMiddleware {
  return async (ctx, next) => {
    await readJson(ctx);
    await next();
  };
}

/** The `:id` of the path of a request. */
export function idOf(ctx: DeskContext): string {
  return ctx.params.id ?? '';
}
