import { ApiError, type ErrorKey } from '../errors/errors.ts';
import outage from './outages.json' with { type: 'json' };

/** E11000: a unique index refused the write. */
export function isDuplicateKey(cause: unknown): boolean {
  return errorCode(cause) === 11_000;
}

/** Waits for a write. Returns false if a unique index refused it. */
export async function unlessDuplicate(write: PromiseLike<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (cause) {
    if (isDuplicateKey(cause)) return false;
    throw cause;
  }
}

/** Driver and mongoose errors that mean that the store is temporarily unavailable. */
const outages = new Set(outage.names);

/**
 * Server codes of an outage: network, no primary, shutting down, time limit, no majority (64), no space left (14031); and
 * system errors that the driver passes on unchanged.
 */
const outageCodes = new Set<unknown>([...outage.serverCodes, ...outage.networkCodes]);

/** Whether the store failed to respond, as opposed to refusing a request. */
export function isOutage(cause: unknown): boolean {
  // fetch wraps the same network errors in a TypeError: these concern a model or another origin, not the
  // store.
  if (!(cause instanceof Error) || cause instanceof TypeError) return false;
  const code = errorCode(cause);
  if (outages.has(cause.name) || outageCodes.has(code)) return true;
  if (cause.name === 'MongooseError' && /initial connection|not connected|bufferCommands/.test(cause.message))
    return true;
  return cause.cause !== undefined && isOutage(cause.cause);
}

/** Whether the disk or the user's quota is full. */
export function isDiskFull(cause: unknown): boolean {
  const code = errorCode(cause);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 14_031) return true;
  return cause instanceof Error && cause.cause !== undefined && isDiskFull(cause.cause);
}

/** Whether the store aborted a query because it took too long. */
export function isTooSlow(cause: unknown): boolean {
  return errorCode(cause) === 50;
}

/** @throws `key` if the store reports that another document has a unique value. */
export async function orConflict<T>(write: () => Promise<T>, key: ErrorKey = 'conflict'): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    throw isDuplicateKey(cause) ? new ApiError(key) : cause;
  }
}

/** The `code` of an exception, such as 'EADDRINUSE' or 11000; undefined if it has none. */
export function errorCode(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}
