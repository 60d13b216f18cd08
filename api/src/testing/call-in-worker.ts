import { Worker } from 'node:worker_threads';

/** What takes longer than this does not end: the calls below take milliseconds. In ms. */
const endless = 30_000;

/** Calls an exported function in a thread of its own, which is ended when the function does not return. Rejects then. */
export async function callInWorker(module: URL, name: string, ...args: unknown[]): Promise<unknown> {
  const source = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { href, name, args } = workerData;
    import(href).then((module) => parentPort.postMessage(module[name](...args)));
  `;
  const worker = new Worker(source, { eval: true, workerData: { href: module.href, name, args } });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const timer = setTimeout(() => reject(new Error(`${name} must return, and does not`)), endless);
  worker.once('message', resolve);
  worker.once('error', reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
