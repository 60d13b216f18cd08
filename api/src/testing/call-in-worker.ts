import { Worker } from 'node:worker_threads';

/** Time limit in ms; the calls take milliseconds, so a longer one never ends. */
const endless = 30_000;

/** Calls an exported function in a worker thread and rejects if it does not return in time. */
export async function callInWorker(module: URL, name: string, ...args: unknown[]): Promise<unknown> {
  const source = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { href, name, args } = workerData;
    import(href).then((module) => parentPort.postMessage(module[name](...args)));
  `;
  const worker = new Worker(source, { eval: true, workerData: { href: module.href, name, args } });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const timer = setTimeout(() => reject(new Error(`${name} must return, but does not`)), endless);
  worker.once('message', resolve);
  worker.once('error', reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
