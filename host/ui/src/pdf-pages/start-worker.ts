/** The part of the Trusted Types API that is used here; missing in browsers without it. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): WorkerPolicy;
}

interface WorkerPolicy {
  createScriptURL(url: string): string;
}

type Page = typeof globalThis & { [SHARED]?: WorkerPolicy; trustedTypes?: TrustedTypes };

/** The page's Content-Security-Policy allows this policy alone, see api/src/compositions/pages/page-headers.ts. */
const POLICY = 'pdf-worker';
/** Name of the policy in the page: releases and remotes share it, because a name can only be used once. */
const SHARED = Symbol.for(POLICY);

/**
 * Starts a worker that runs `code`, which must be a constant of the build: only then the browser has checked its integrity, as part of the
 * script that contains it. The worker has the page's Content-Security-Policy, hence it cannot load or evaluate other code.
 */
export function startWorker(code: string): Worker {
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  const worker = new Worker(policyOf(globalThis).createScriptURL(url), { type: 'module' });
  const revoke = () => URL.revokeObjectURL(url);
  for (const event of ['message', 'error']) worker.addEventListener(event, revoke, { once: true });
  return worker;
}

function policyOf(page: Page): WorkerPolicy {
  const found = page[SHARED];
  if (found) return found;
  const rules = { createScriptURL: ownBlob };
  const policy = page.trustedTypes?.createPolicy(POLICY, rules) ?? rules;
  Object.defineProperty(page, SHARED, { value: policy });
  return policy;
}

/** Only scripts of this page can create such an address: text from elsewhere never names the code of a worker. */
function ownBlob(url: string): string {
  if (!url.startsWith(`blob:${location.origin}/`)) throw new TypeError('expected a blob of this page');
  return url;
}
