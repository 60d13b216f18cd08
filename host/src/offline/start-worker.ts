import { workerPolicy } from 'host/ui/documents/worker-policy.ts';
import { fromEvent, merge, type Observable } from 'rxjs';
import { whenIdle } from '../when-idle.ts';

interface Options {
  page: Window & typeof globalThis;
  /** Address of the service worker, see api/src/releases/pages/worker.js. */
  address: string;
  /** Emits after a change of language or theme, which are part of the stored page. */
  changes$: Observable<unknown>;
}

/**
 * Registers the service worker, and lets it store this page with the files that it has loaded, and again whenever the visitor comes to another
 * screen, without the server knowing of a visit. Never rejects: without the worker everything works while there is a network.
 */
export async function startWorker({ page, address, changes$ }: Options): Promise<void> {
  const { document, location, navigator } = page;
  const options = { scope: address.slice(0, address.lastIndexOf('/') + 1), updateViaCache: 'none' } as const;
  try {
    await navigator.serviceWorker.register(workerPolicy(page).createScriptURL(address), options);
  } catch {
    return;
  }
  const { active } = await navigator.serviceWorker.ready;
  const stored = new Set<string>();
  const store = () => {
    const names = [...new URL(location.href).searchParams.keys()].sort();
    const { lang, dataset } = document.documentElement;
    const key = [location.pathname, lang, dataset.theme, ...names].join(' ');
    if (stored.has(key)) return;
    stored.add(key);
    const files = page.performance.getEntriesByType('resource').map((entry) => entry.name);
    active?.postMessage({ page: location.href, files });
  };
  store();
  const { navigation } = page as { navigation?: EventTarget };
  const visited$ = navigation ? [fromEvent(navigation, 'navigatesuccess')] : [];
  merge(changes$, ...visited$).subscribe(() => whenIdle(store));
}
