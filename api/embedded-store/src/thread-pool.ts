import { Worker } from 'node:worker_threads';

/**
 * Threads that run the module at `url`. A thread that is put back serves the next caller in this process: starting one, and compiling its code
 * again, would take most of the time of opening a store. Threads in the pool do not keep the process running.
 */
export function createThreadPool(url: URL) {
  const idle: Worker[] = [];
  return {
    take(): Worker {
      const worker = idle.pop() ?? new Worker(url);
      worker.ref();
      return worker;
    },
    putBack(worker: Worker): void {
      worker.unref();
      idle.push(worker);
    },
  };
}
