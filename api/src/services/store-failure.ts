import { errorCode } from './error-code.ts';

/** E11000: a unique index refused the write. */
export function isDuplicateKey(cause: unknown): boolean {
  return errorCode(cause) === 11_000;
}

/** Names of driver and mongoose errors that mean: the store is not there now, and may come back. */
const outages = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoPoolClosedError',
  'MongoPoolClearedError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoExpiredSessionError',
  'MongoClientBulkWriteExecutionError',
]);

/** Server codes with the same meaning: no primary, shutting down, time limit, no space left (14031). */
const outageCodes = new Set([50, 89, 91, 189, 10_107, 11_600, 11_602, 13_435, 13_436, 14_031]);

/** Whether the store failed to answer, as against having refused. */
export function isOutage(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const code = errorCode(cause);
  if (outages.has(cause.name) || (typeof code === 'number' && outageCodes.has(code))) return true;
  if (cause.name === 'MongooseError' && /initial connection|not connected|bufferCommands/.test(cause.message))
    return true;
  return cause.cause !== undefined && isOutage(cause.cause);
}

/** Whether the disk, or what its user may have of it, is full. */
export function isDiskFull(cause: unknown): boolean {
  const code = errorCode(cause);
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 14_031;
}
