import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/config.ts';

/**
 * One JSON object a line. An error is told by its kind, message, code and stack: never by the rest of its fields, where an answer or
 * a name might be.
 */
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

/** The store quotes the value that a unique index refused. */
function withoutValues(text: string): string {
  return text.replace(/dup key: \{.*?\}(?=\s|$)/gs, 'dup key');
}
