import { Worker } from 'node:worker_threads';

/**
 * Ends this process if it exceeds `maxMb` of memory of any kind, or if its parent process has ended. Runs in
 * a thread, since the main thread may be blocked by the file that uses the memory.
 */
export function watchMemory(maxMb: number): void {
  new Worker(new URL('./memory-watcher.ts', import.meta.url), {
    workerData: { maxMb, parent: process.ppid },
  });
}
