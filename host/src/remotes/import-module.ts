import { asError, isFetchFailure, LOAD_TIMEOUT_MS } from './run-module.ts';

/** The exports of a remote entry, as defined by Module Federation. */
export interface Container {
  /** Receives the shared libraries of the host. */
  init(shareScope: ShareScope, initScope: object[], options: object): void | Promise<void>;
  /** Loads an exposed module; its code runs when the function is called. Rejects if the module is not exposed. */
  get(expose: string): Promise<() => unknown>;
}

/** Libraries by name and version. */
export type ShareScope = Record<string, Record<string, unknown>>;

const failed = new Set<string>();
let renewals = 0;

/** The exports of a remote entry that is a module; its address is `entry`. */
export async function importContainer(entry: string): Promise<Container> {
  return (await importModule(entry)) as Container;
}

/** `import()` that can be repeated after a failure. */
async function importModule(url: string): Promise<unknown> {
  const address = failed.has(url) ? await renewModule(url) : url;
  try {
    return await import(/* webpackIgnore: true */ address);
  } catch (error) {
    // A module that threw must not run again.
    if (isFetchFailure(asError(error))) failed.add(url);
    throw error;
  }
}

/**
 * Loads a script that failed again and returns the address under which the browser has it now. Firefox before 155 and older versions of Safari do
 * not request an address again after a failed `import()` (https://github.com/whatwg/html/issues/6768). The new address differs in its fragment, so
 * that the request is the same. The import map has no integrity for it: the preload checks it, and nothing is imported if that fails.
 */
export async function renewModule(url: string): Promise<string> {
  await refetch(url);
  const link = document.createElement('link');
  if (!link.relList.supports('modulepreload')) return url;
  renewals += 1;
  const renewed = `${url}#${renewals}`;
  Object.assign(link, {
    rel: 'modulepreload',
    crossOrigin: 'anonymous',
    integrity: integrityOf(url),
    href: renewed,
  });
  try {
    await new Promise((resolve, reject) => {
      link.onload = resolve;
      link.onerror = () => reject(new Error(`error loading dynamically imported module: ${url}`));
      document.head.append(link);
    });
  } finally {
    link.remove();
  }
  return renewed;
}

const preloaded = new Set<string>();

/** Starts to download a script that will be imported; its integrity is that of the import map. */
export function preloadModule(href: string): void {
  if (preloaded.has(href)) return;
  preloaded.add(href);
  const link = document.createElement('link');
  document.head.append(Object.assign(link, { rel: 'modulepreload', crossOrigin: 'anonymous', href }));
}

/** Downloads a file again, because browsers also cache broken files forever. Never rejects: the file fails again where it is needed. */
export async function refetch(url: string): Promise<void> {
  try {
    const response = await fetch(url, { cache: 'reload', signal: AbortSignal.timeout(LOAD_TIMEOUT_MS) });
    await response.arrayBuffer();
  } catch {}
}

/** The integrity that the page's import map requires; '' if none, as for a developer's server. */
function integrityOf(url: string): string {
  const absolute = (address: string) => new URL(address, document.baseURI).href;
  const { integrity = {} } = JSON.parse(
    document.querySelector('script[type="importmap"]')?.textContent || '{}',
  );
  const found = Object.keys(integrity).find((address) => absolute(address) === absolute(url));
  return found === undefined ? '' : integrity[found];
}
