import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { invalidRequest, requestTimeout, tooLarge, unsupportedType } from '../errors/errors.ts';

/** Bytes of a JSON body, and levels of nesting. */
const largestBody = 256 * 1024;
const deepestLevel = 32;
/** The server lets a request take an hour, for archives; a JSON body that small has no reason to. */
const bodyTimeoutMs = 30_000;

/** What a call takes that takes something else than others do. */
export interface JsonBounds {
  /** Bytes. Default 256 KB. */
  largest?: number;
  /** Longest time for the body to arrive, in ms. Default 30 s. */
  withinMs?: number;
  /** Whether it says of itself that it is what the call takes. */
  isJson?: (ctx: Context) => boolean;
}

/**
 * The JSON of a request; undefined when it has no body.
 *
 * What is refused is left unread: see take-whole-body.ts.
 *
 * @throws unsupportedType for another content type, tooLarge, requestTimeout for a body that stalls, and invalidRequest('body') for what is
 * not well-formed UTF-8 or JSON, or nests too deeply.
 */
export async function readJson(
  ctx: Context,
  { largest = largestBody, withinMs = bodyTimeoutMs, isJson: isTaken = isJson }: JsonBounds = {},
): Promise<unknown> {
  const { req } = ctx;
  const hasBody =
    req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  if (!isTaken(ctx)) throw unsupportedType();
  const bytes = await inTime(readBytes(req, largest), withinMs);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.trim() === '') return undefined;
    if (levelsOf(text) > deepestLevel) throw new SyntaxError('nested too deeply');
    return JSON.parse(text);
  } catch {
    throw invalidRequest('body', 'invalid_json');
  }
}

/** Whether a body says of itself that it is JSON as we read it: UTF-8, not compressed. */
export function isJson(ctx: Context): boolean {
  return isUtf8(ctx, 'application/json');
}

/** Whether a body says of itself that it is of this type, in UTF-8 and not compressed. */
export function isUtf8(ctx: Context, wanted: string): boolean {
  const encoding = ctx.get('Content-Encoding').toLowerCase();
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(ctx.get('Content-Type'))?.[1]?.toLowerCase() ?? 'utf-8';
  const type = ctx.get('Content-Type').split(';', 1)[0]?.trim().toLowerCase();
  return type === wanted && (encoding === '' || encoding === 'identity') && /^utf-?8$/.test(charset);
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(requestTimeout()), ms);
  // Whatever becomes of it after that is of no interest.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function readBytes(req: IncomingMessage, largest: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > largest) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > largest) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (cause) {
    // The client disconnected: nobody reads the response, and it is no server error.
    if (req.destroyed && !req.complete) throw invalidRequest('body', 'invalid_http');
    throw cause;
  }
  return Buffer.concat(chunks);
}

/** Levels of brackets outside strings: told without building what they nest. */
function levelsOf(json: string): number {
  let level = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (isText) {
      if (character === '\\') at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++level);
    else if (character === ']' || character === '}') level -= 1;
  }
  return deepest;
}
