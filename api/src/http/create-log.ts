import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/config.ts';

/** One JSON object per line; of errors only type, message, code and stack: others may have contents. */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  return pino({ level, base: { pid: process.pid }, serializers: { err: describeError } }, destination);
}

function describeError(cause: unknown): object {
  if (!(cause instanceof Error)) return { type: typeof cause };
  return {
    type: cause.name,
    message: withoutValues(cause.message),
    ...('code' in cause ? { code: cause.code } : {}),
    stack: withoutValues(cause.stack ?? ''),
  };
}

/** Removes the duplicate values, which the store's error message quotes, and which may contain brackets and lines. */
function withoutValues(text: string): string {
  return text.replace(/dup key: \{.*\}/gs, 'dup key');
}
