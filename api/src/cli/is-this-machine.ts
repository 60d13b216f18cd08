/** Whether `server` is on this machine: the ops token in the local file must not be sent elsewhere. */
export function isThisMachine(server: string): boolean {
  const { hostname } = new URL(server);
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
