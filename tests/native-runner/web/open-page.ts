/**
 * Pages of jsdom whose properties are those of Node's global object: `document` is that of the newest page.
 */
import { JSDOM, VirtualConsole } from 'jsdom';

/** What Node has and jsdom does not: without it, code behaves as in Jest's own environment for jsdom. */
const ONLY_IN_NODE = ['fetch', 'Request', 'Response', 'BroadcastChannel', 'EventSource', 'structuredClone'];
/** The global object itself. */
const PAGE = ['window', 'self', 'frames', 'top', 'parent'];
/** What stays Node's; jsdom itself uses its clock. */
const OF_NODE = ['globalThis', 'console', 'performance', 'queueMicrotask'];
const TIMERS = ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] as const;
const METHODS = ['addEventListener', 'removeEventListener', 'dispatchEvent'];

type Names = Record<string, unknown>;
type Listen = (...args: unknown[]) => void;
const node = globalThis as unknown as Names;

let page: JSDOM | undefined;
/** Properties of a page that are global. */
let forwarded: readonly string[] | undefined;
/** Global names that do not belong to a test file. */
let known: ReadonlySet<string> | undefined;
/** Timers of the current test file that have not ended. */
const pending = new Set<NodeJS.Timeout>();

/**
 * Opens the first page, so that libraries find one when they are loaded. From now on, timers end with the page that
 * was open when they were started.
 */
export function openFirstPage(): void {
  for (const name of ONLY_IN_NODE) delete node[name];
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  const starting =
    (start: typeof setTimeout | typeof setInterval, isOnce: boolean) =>
    (run: Listen, ms?: number, ...values: unknown[]) => {
      const timer = start(() => {
        if (isOnce) pending.delete(timer);
        run(...values);
      }, ms);
      pending.add(timer);
      return timer;
    };
  const ending = (end: typeof clearTimeout) => (timer: NodeJS.Timeout) => {
    pending.delete(timer);
    end(timer);
  };
  Object.assign(node, {
    setTimeout: starting(setTimeout, true),
    setInterval: starting(setInterval, false),
    clearTimeout: ending(clearTimeout),
    clearInterval: ending(clearInterval),
  });
  open();
}

/** Closes the page, removes what a test file has left in the global object, and opens an empty page. */
export function openNextPage(): void {
  for (const timer of pending) clearTimeout(timer);
  pending.clear();
  page?.window.close();
  known ??= new Set(Object.getOwnPropertyNames(node));
  for (const name of Object.getOwnPropertyNames(node)) if (!known.has(name)) delete node[name];
  open();
}

function open(): void {
  const virtualConsole = new VirtualConsole();
  virtualConsole.sendTo(console, { omitJSDOMErrors: true });
  virtualConsole.on('jsdomError', (error) => console.error(error));
  page = new JSDOM('<!DOCTYPE html>', { url: 'http://localhost/', pretendToBeVisual: true, virtualConsole });
  const window = page.window as unknown as Names;
  forwarded ??= propertiesOf(window);
  for (const name of PAGE) define(node, name, { value: node, writable: true });
  for (const name of METHODS)
    define(node, name, { value: (window[name] as Listen).bind(window), writable: true });
  for (const name of forwarded)
    define(node, name, {
      get: () => window[name],
      set: (value) => {
        window[name] = value;
      },
    });
  // Fake timers replace those of the global object.
  for (const name of TIMERS) define(window, name, { get: () => node[name], set: () => undefined });
}

function propertiesOf(window: Names): string[] {
  const others = new Set<string>([...PAGE, ...OF_NODE, ...TIMERS]);
  return Object.getOwnPropertyNames(window).filter(
    // Those of the language are the same in both.
    (name) => !name.startsWith('_') && !others.has(name) && !Object.is(window[name], node[name]),
  );
}

function define(target: Names, name: string, property: PropertyDescriptor): void {
  Object.defineProperty(target, name, { configurable: true, enumerable: true, ...property });
}
