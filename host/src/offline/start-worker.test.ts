import { beforeEach, expect, test } from '@jest/globals';
import { Subject } from 'rxjs';
import { startWorker } from './start-worker.ts';

let sent: { page: string; files: string[] }[];
let registered: unknown[];

beforeEach(() => {
  sent = [];
  registered = [];
  Object.assign(window, { requestIdleCallback: (work: () => void) => work() });
  history.replaceState(null, '', '/chatbot/index');
  document.documentElement.lang = 'zh-CN';
  delete document.documentElement.dataset.theme;
});

function page(register: () => Promise<unknown> = async () => undefined) {
  const active = { postMessage: (message: (typeof sent)[number]) => sent.push(message) };
  const serviceWorker = {
    register: (...call: unknown[]) => {
      registered.push(...call);
      return register();
    },
    ready: Promise.resolve({ active }),
  };
  return {
    document,
    location,
    navigator: { serviceWorker },
    PerformanceObserver: class {
      onEntries: (list: object) => void;
      constructor(onEntries: (list: object) => void) {
        this.onEntries = onEntries;
      }
      observe() {
        const name = 'https://desk.example/chatbot/releases/a.js';
        const entries = [
          { name, workerStart: 0 },
          { name: `${name}2`, workerStart: 5 },
          { name: 'https://desk.example/api' },
        ];
        this.onEntries({ getEntries: () => entries });
      }
    },
  } as never;
}

test('lets the worker store each screen once, and again in another language or theme', async () => {
  const changes$ = new Subject<void>();
  await startWorker({ page: page(), address: '/chatbot/worker.js', changes$ });
  expect(registered).toEqual(['/chatbot/worker.js', { scope: '/chatbot/', updateViaCache: 'none' }]);
  const files = ['https://desk.example/chatbot/releases/a.js'];
  expect(sent.splice(0)).toEqual([
    { page: location.href, files: [] },
    { page: location.href, files },
  ]);
  history.replaceState(null, '', '/chatbot/index?c=1');
  changes$.next();
  history.replaceState(null, '', '/chatbot/index?c=2');
  changes$.next();
  expect(sent).toHaveLength(1);
  document.documentElement.lang = 'en';
  changes$.next();
  expect(sent).toHaveLength(2);
  document.documentElement.dataset.theme = 'dark';
  changes$.next();
  expect(sent).toHaveLength(3);
});

test('does nothing where the browser refuses it', async () => {
  const refused = page(() => Promise.reject(new DOMException('blocked', 'SecurityError')));
  await startWorker({ page: refused, address: '/chatbot/worker.js', changes$: new Subject() });
  expect(sent).toEqual([]);
});
