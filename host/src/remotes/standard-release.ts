import type { Release } from './composition.ts';
import { type Container, importContainer } from './import-module.ts';
import { allowScripts } from './script-policy.ts';

type Page = Window & typeof globalThis;
type Open = (release: Release) => Promise<Container>;

let opener: Open | undefined;

/**
 * Opens the container of a release that was built by a standard Module Federation configuration. The page checks its files like those of
 * `defineRemote`: its loader adds scripts and style sheets without integrity, which is set here before they are in the page.
 */
export function openStandard(release: Release, page: Page): Promise<Container> {
  opener ??= createOpener(page);
  return opener(release);
}

function createOpener(page: Page): Open {
  const { document } = page;
  const integrity = watchInsertions(page);
  const folders = new Set<string>();
  /** Folders of developers' servers, whose files have no known integrity. */
  const developed = new Set<string>();
  allowScripts((url) => integrity.has(url) || startsWithOne(developed, url) !== undefined);
  /** Global variables of containers and their chunk registries. */
  const taken = new Set<string>();
  const take = (name: string) => {
    if (taken.has(name)) return false;
    if (name in page) throw new Error(`the global variable ${name} belongs to the page`);
    taken.add(name);
    return true;
  };

  return async ({ entry, version, container = '', standard }) => {
    const base = new URL(standard?.base ?? '.', document.baseURI).href;
    folders.add(base);
    if (version === 'dev') developed.add(base);
    if (standard?.type !== 'script') return importContainer(entry);
    const { chunks } = standard;
    if (chunks && take(chunks)) separateChunks(page, chunks, folders);
    take(container);
    const globals = page as unknown as Record<string, Container | undefined>;
    // The value was left by another release.
    globals[container] = undefined;
    await runScript(document, entry);
    const opened = globals[container];
    if (!opened) throw new Error(`${entry} does not assign the container ${container}`);
    return opened;
  };
}

/** The integrity of every script and style sheet of the page's releases, by address, which is set on each that is inserted. */
function watchInsertions({ document }: Window): ReadonlyMap<string, string> {
  const read = (selector: string) => JSON.parse(document.querySelector(selector)?.textContent || '{}');
  const known = { ...read('script[type="importmap"]').integrity, ...read('#styles') };
  const integrity = new Map(
    Object.entries<string>(known).map(([address, proof]) => [new URL(address, document.baseURI).href, proof]),
  );
  for (const parent of [document.head, document.body])
    for (const method of ['append', 'appendChild', 'insertBefore'] as const) {
      const insert = parent[method] as (...values: unknown[]) => unknown;
      const prove = (...values: unknown[]) => {
        for (const value of values) setIntegrity(value, integrity);
        return insert.apply(parent, values);
      };
      Object.defineProperty(parent, method, { value: prove, configurable: true, writable: true });
    }
  return integrity;
}

function setIntegrity(value: unknown, integrity: ReadonlyMap<string, string>): void {
  if (value instanceof HTMLScriptElement) {
    // A script without CORS has no integrity for the Integrity-Policy.
    value.crossOrigin ??= 'anonymous';
    value.integrity ||= integrity.get(value.src) ?? '';
  } else if (value instanceof HTMLLinkElement && value.rel === 'stylesheet') {
    // In the mode of its preload link, see page-head.ts of the API: otherwise it would be downloaded twice.
    if (value.href.startsWith(`${location.origin}/`)) value.removeAttribute('crossorigin');
    else value.crossOrigin ??= 'anonymous';
    value.integrity ||= integrity.get(value.href) ?? '';
  }
}

/** Gives each release its own chunk registry under the shared global name. Otherwise one release would run chunks of another. */
function separateChunks(page: Page, name: string, folders: ReadonlySet<string>): void {
  const arrays = new Map<string | undefined, unknown>();
  const owner = () => {
    const script = page.document.currentScript;
    return script instanceof page.HTMLScriptElement ? startsWithOne(folders, script.src) : undefined;
  };
  Object.defineProperty(page, name, {
    configurable: true,
    get: () => arrays.get(owner()),
    set: (value: unknown) => void arrays.set(owner(), value),
  });
}

function runScript(document: Document, address: string): Promise<void> {
  const script = document.createElement('script');
  script.src = address;
  return new Promise<void>((resolve, reject) => {
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`Loading the script ${address} failed`));
    document.head.append(script);
  }).finally(() => script.remove());
}

function startsWithOne(starts: ReadonlySet<string>, address: string): string | undefined {
  return [...starts].find((start) => address.startsWith(start));
}
