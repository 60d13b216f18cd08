const wanted = new Map<string, string>();

/** From now on a remote is fetched from `entry` and nowhere else. */
export function wantEntry(remote: string, entry: string): void {
  wanted.set(remote, entry);
}

/**
 * Fetches a remote's entry. Who comes after the tab has gone on to another release of it is turned away: none of its chunks
 * is fetched and none of its style sheets is added any more.
 */
export async function loadWantedEntry(remote: string, entry: string): Promise<unknown> {
  const exports: unknown = await import(/* webpackIgnore: true */ entry);
  if (wanted.get(remote) !== entry) throw new Error(`${entry} came too late`);
  return exports;
}
