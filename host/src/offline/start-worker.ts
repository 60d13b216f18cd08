import { workerPolicy } from 'host/ui/documents/start-worker.ts';
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
 * Registers the service worker, and lets it store this page with the files that it has loaded. It stores the page again at each change of
 * the screen, without telling the server about the visit. Never rejects: without the worker everything works while there is a network.
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
  const send = (files: string[]) => active?.postMessage({ page: location.href, files });
  const stored = new Set<string>();
  const store = () => {
    const names = [...new URL(location.href).searchParams.keys()].sort();
    const { lang, dataset } = document.documentElement;
    const key = [location.pathname, lang, dataset.theme, ...names].join(' ');
    if (stored.has(key)) return;
    stored.add(key);
    send([]);
  };
  store();
  const { navigation } = page as { navigation?: EventTarget };
  const visited$ = navigation ? [fromEvent(navigation, 'navigatesuccess')] : [];
  merge(changes$, ...visited$).subscribe(() => whenIdle(store));
  // Some privacy settings remove this class.
  if (!page.PerformanceObserver) return;
  // Also reports files that were requested before the worker controlled the page and arrive later.
  new page.PerformanceObserver((list) => {
    const missed = (list.getEntries() as PerformanceResourceTiming[]).filter(
      ({ name, workerStart }) => !workerStart && name.includes('/chatbot/releases/'),
    );
    if (missed.length > 0) whenIdle(() => send(missed.map(({ name }) => name)));
  }).observe({ type: 'resource', buffered: true });
}
