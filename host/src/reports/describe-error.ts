/** Maximum length of the description of an error. */
const MAX_LENGTH = 500;

/**
 * A description of an error without personal data: its name, its message and the position in the source. Removed from the message: quoted
 * texts (except module and property names), long numbers, mail addresses, query strings, and anything that is not ASCII. At most 500
 * characters.
 */
export function describeError(error: unknown): string {
  const { name, message } = partsOf(error);
  const text = [name, withoutPersonalData(message)].filter(Boolean).join(': ');
  const position = positionOf(stackOf(error));
  return `${text.slice(0, MAX_LENGTH - 100)}${position && ` (${position})`}`.slice(0, MAX_LENGTH);
}

/** Addresses of the scripts in a stack, innermost first, without line and column. */
export function scriptsIn(error: unknown, source: string): string[] {
  const found = stackOf(error).match(/[\w-]+:\/\/[^\s()]+/g) ?? [];
  return [...found, source].filter(Boolean).map((address) => address.replace(/(:\d+){1,2}$/, ''));
}

/** True for errors that are not caused by code: cancelled requests, and requests made offline. */
export function isExpected(error: unknown): boolean {
  const { name, message, status, error: code } = Object(error) as Record<string, unknown>;
  if (name === 'AbortError' || (status === 0 && (code === 'aborted' || code === 'offline'))) return true;
  return /^ResizeObserver loop/.test(String(message ?? error));
}

function partsOf(error: unknown): { name: string; message: string } {
  const { name, message, status, error: code } = Object(error) as Record<string, unknown>;
  // The message of a failed call is meant for the visitor; its code is more precise and contains no personal data.
  if (typeof status === 'number' && typeof code === 'string')
    return { name: 'HttpFailure', message: `${status} ${code}` };
  if (typeof message === 'string') return { name: typeof name === 'string' ? name : '', message };
  return { name: '', message: typeof error === 'string' ? error : `thrown: ${typeof error}` };
}

function withoutPersonalData(message: string): string {
  return message
    .replace(/"[^"]*"|`[^`]*`|“[^”]*”|「[^」]*」/g, (quoted) =>
      /^"\.\/[\w./-]{1,40}"$/.test(quoted) ? quoted : '"…"',
    )
    .replace(/'([^']*)'/g, (quoted, inner: string) => (/^[\w$.@/-]{0,40}$/.test(inner) ? quoted : "'…'"))
    .replace(/([\w-]+:\/\/[^\s?#)]*)[?#][^\s)]*/g, '$1')
    .replace(/[\w.+-]+@[\w-]+\.[\w.-]+/g, '…')
    .replace(/\d{6,}/g, '#')
    .replace(/[^\x20-\x7e…]+/g, '…')
    .replace(/\s+/g, ' ')
    .trim();
}

function positionOf(stack: string): string {
  return /\/([\w.-]+:\d+:\d+)/.exec(stack)?.[1] ?? '';
}

function stackOf(error: unknown): string {
  const { stack } = Object(error) as { stack?: unknown };
  return typeof stack === 'string' ? stack : '';
}
