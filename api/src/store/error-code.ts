/** The `code` of what was thrown, such as 'EADDRINUSE' or 11000; undefined without one. */
export function errorCode(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}
