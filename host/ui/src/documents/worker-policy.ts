import { deskAddress } from '../desk-address.ts';

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
 * The policy of the page's workers. The host creates it before code of a remote runs: whoever came first could give it rules that
 * accept anything, since a name can only be used once.
 */
export function workerPolicy(page: Page): WorkerPolicy {
  const found = page[SHARED];
  if (found) return found;
  const rules = { createScriptURL: ownWorker };
  const policy = page.trustedTypes?.createPolicy(POLICY, rules) ?? rules;
  Object.defineProperty(page, SHARED, { value: policy });
  return policy;
}

/** Only scripts of this page can create such an address: text from elsewhere never names the code of a worker. */
function ownWorker(url: string): string {
  if (url !== deskAddress(SERVICE_WORKER) && !url.startsWith(`blob:${location.origin}/`))
    throw new TypeError('expected a blob of this page');
  return url;
}
