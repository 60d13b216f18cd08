/** The `code` of an exception, such as 'EADDRINUSE' or 11000; undefined if it has none. */
export function errorCode(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}
