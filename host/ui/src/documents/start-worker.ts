import { deskAddress } from '../desk-address.ts';

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

/** The part of the Trusted Types API that is used here; missing in browsers without it. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): WorkerPolicy;
}

interface WorkerPolicy {
  createScriptURL(url: string): string;
}

type Page = typeof globalThis & { [SHARED]?: WorkerPolicy; trustedTypes?: TrustedTypes };

/** The page's Content-Security-Policy allows this policy alone, see api/src/releases/pages/page-headers.ts. */
const POLICY = 'pdf-worker';
/** The service worker, which comes from the server itself. */
const SERVICE_WORKER = '/chatbot/worker.js';
/** Name of the policy in the page: releases and remotes share it, because a name can only be used once. */
const SHARED = Symbol.for(POLICY);

/**
 * The Trusted Types policy of the page's workers. The host creates it before code of a remote runs. Otherwise a remote could create it
 * first, with rules that accept anything, since each name can only be used once.
 */
export function workerPolicy(page: Page): WorkerPolicy {
  const found = page[SHARED];
  if (found) return found;
  const rules = { createScriptURL: ownWorker };
  const policy = page.trustedTypes?.createPolicy(POLICY, rules) ?? rules;
  Object.defineProperty(page, SHARED, { value: policy });
  return policy;
}

/** Accepts only blob addresses, which only scripts of this page can create. Text from elsewhere can therefore not become a worker. */
function ownWorker(url: string): string {
  if (url !== deskAddress(SERVICE_WORKER) && !url.startsWith(`blob:${location.origin}/`))
    throw new TypeError('expected a blob of this page');
  return url;
}
