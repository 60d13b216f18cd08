import { workerPolicy } from './worker-policy.ts';

/**
 * Starts a worker that runs `code`. This must be a constant of the build, because then the browser has checked its integrity as part of the
 * script that contains it. The worker has the page's Content-Security-Policy, so that it cannot load or evaluate other code.
 */
export function startWorker(code: string): Worker {
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  const worker = new Worker(workerPolicy(globalThis).createScriptURL(url), { type: 'module' });
  const revoke = () => URL.revokeObjectURL(url);
  for (const event of ['message', 'error']) worker.addEventListener(event, revoke, { once: true });
  return worker;
}
