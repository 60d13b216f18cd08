/** The state after the last checkpoint, shared by threads: pages in the WAL, and how many of them are checkpointed. */
export type Progress = Int32Array<SharedArrayBuffer>;

export const createProgress = (): Progress => new Int32Array(new SharedArrayBuffer(8));

export function setProgress(progress: Progress, inWal: number, done: number): void {
  Atomics.store(progress, 0, inWal);
  Atomics.store(progress, 1, done);
}

export const inWalOf = (progress: Progress): number => Atomics.load(progress, 0);

/** Pages in the WAL that are not checkpointed yet. */
export const backlogOf = (progress: Progress): number =>
  Math.max(0, Atomics.load(progress, 0) - Atomics.load(progress, 1));
