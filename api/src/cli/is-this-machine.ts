/** Whether the desk at `server` is on this machine: the ops token that a desk keeps in a file here is for no other. */
export function isThisMachine(server: string): boolean {
  const { hostname } = new URL(server);
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
