import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/config.ts';

/** Writes one JSON object per line. Of errors only type, message, code and stack are logged: other fields may contain user data. */
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

/** Removes the duplicate values that the store's error message quotes. They may contain brackets and line breaks. */
function withoutValues(text: string): string {
  return text.replace(/dup key: \{.*\}/gs, 'dup key');
}
