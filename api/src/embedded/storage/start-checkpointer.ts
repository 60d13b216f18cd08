import { Worker } from 'node:worker_threads';

/** Keeps the WAL of a data file short, beside whoever writes it, until `stop`. */
export function startCheckpointer(file: string): { stop(): Promise<void> } {
  const worker = new Worker(new URL('./checkpointer.ts', import.meta.url), { workerData: { file } });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.on('error', (error) =>
    console.error(`The WAL is folded back by the writer alone: ${error.message}`),
  );
  return {
    async stop() {
      worker.postMessage('stop');
      await ended;
    },
  };
}
