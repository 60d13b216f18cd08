import { Worker } from 'node:worker_threads';

/**
 * Ends this process when it takes more memory than `maxMb`, of whatever kind, or when the process that started it is gone. From a
 * thread, since the main one may be busy for a minute with the file that takes the memory.
 */
export function watchMemory(maxMb: number): void {
  new Worker(new URL('./memory-watcher.ts', import.meta.url), {
    workerData: { maxMb, parent: process.ppid },
  });
}
