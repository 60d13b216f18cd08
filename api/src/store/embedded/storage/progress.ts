/** What the checkpointer had to do at its last look: pages in the WAL, and how many of them the data file has. Shared by threads. */
export type Progress = Int32Array<SharedArrayBuffer>;

export const createProgress = (): Progress => new Int32Array(new SharedArrayBuffer(8));

export function tell(progress: Progress, inWal: number, done: number): void {
  Atomics.store(progress, 0, inWal);
  Atomics.store(progress, 1, done);
}

export const inWalOf = (progress: Progress): number => Atomics.load(progress, 0);

/** Pages that are in the WAL alone. */
export const backlogOf = (progress: Progress): number =>
  Math.max(0, Atomics.load(progress, 0) - Atomics.load(progress, 1));
