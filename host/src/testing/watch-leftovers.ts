import type { Observable } from 'rxjs';

/** What a screen has started and not ended, by kind; empty lists if nothing is left. */
export interface Leftovers {
  /** `window resize`, `document keydown`. */
  listeners: string[];
  /** `setTimeout 300`, `setInterval 1000`, `requestAnimationFrame`: those that are still pending. */
  timers: string[];
  /** Names of streams, one entry per subscription. */
  subscriptions: string[];
  /** `div#veil.dark`: elements in the head or at the end of the body. */
  elements: string[];
}

export interface LeftoverWatch {
  leftovers(): Leftovers;
  /** Stops watching and restores the original functions. */
  stop(): void;
}

type ListenerArguments = [type: string, listener: unknown, options?: boolean | AddEventListenerOptions];

/** Watches everything added to `page` and every subscription of `streams` from now on. Ignores existing elements. */
export function watchLeftovers(page: Window, streams: Record<string, Observable<unknown>>): LeftoverWatch {
  const { document } = page;
  const elementsOf = () => [...document.body.children, ...document.head.children];
  const before = new Set(elementsOf());
  const restores: (() => void)[] = [];
  const replace = <Target extends object, Name extends keyof Target>(
    target: Target,
    name: Name,
    create: (own: Target[Name]) => Target[Name],
  ) => {
    const descriptor = Object.getOwnPropertyDescriptor(target, name);
    const value = create(target[name]);
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
    restores.push(() => {
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else Reflect.deleteProperty(target, name);
    });
  };

  const listeners = [watchListeners('window', page, replace), watchListeners('document', document, replace)];
  const timers = watchTimers(page, replace);
  const subscriptions = Object.entries(streams).map(([name, stream]) =>
    watchSubscriptions(name, stream, replace),
  );

  return {
    leftovers: () => ({
      listeners: listeners.flatMap((list) => list()),
      timers: timers(),
      subscriptions: subscriptions.flatMap((list) => list()),
      elements: elementsOf().flatMap((element) => (before.has(element) ? [] : [nameOf(element)])),
    }),
    stop() {
      for (const restore of restores.reverse()) restore();
    },
  };
}

type Replace = <Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  create: (own: Target[Name]) => Target[Name],
) => void;

function watchListeners(name: string, target: EventTarget, replace: Replace): () => string[] {
  const added: { type: string; listener: unknown; isCapture: boolean }[] = [];
  const isCaptureIn = (options: ListenerArguments[2]) =>
    typeof options === 'object' ? Boolean(options.capture) : Boolean(options);
  const find = ([type, listener, options]: ListenerArguments) =>
    added.findIndex(
      (one) => one.type === type && one.listener === listener && one.isCapture === isCaptureIn(options),
    );
  const remove = (args: ListenerArguments) => {
    const index = find(args);
    if (index >= 0) added.splice(index, 1);
  };

  replace(target, 'addEventListener', (own) => (...args: ListenerArguments) => {
    const [type, listener, options] = args;
    own.call(target, type, listener as EventListener, options);
    const { once, signal } = typeof options === 'object' ? options : {};
    if (!listener || signal?.aborted || find(args) >= 0) return;
    added.push({ type, listener, isCapture: isCaptureIn(options) });
    signal?.addEventListener('abort', () => remove(args), { once: true });
    // Added after the listener, so called after it.
    if (once) own.call(target, type, () => remove(args), { ...(options as object), once });
  });
  replace(target, 'removeEventListener', (own) => (...args: ListenerArguments) => {
    const [type, listener, options] = args;
    own.call(target, type, listener as EventListener, options);
    remove(args);
  });
  return () => added.map(({ type }) => `${name} ${type}`);
}

function watchTimers(page: Window, replace: Replace): () => string[] {
  type Run = (...values: unknown[]) => void;
  const pending = new Map<unknown, string>();
  const start = (name: string, begin: (run: Run) => unknown, run: Run, isOnce: boolean) => {
    const id = begin((...values) => {
      if (isOnce) pending.delete(id);
      run(...values);
    });
    pending.set(id, name);
    return id as never;
  };
  const end =
    (own: (id?: number) => void) =>
    (id?: number): void => {
      pending.delete(id);
      own.call(page, id);
    };

  const { setTimeout, setInterval, requestAnimationFrame } = page;
  replace(
    page,
    'setTimeout',
    () =>
      ((run: Run, ms?: number, ...values: unknown[]) =>
        start(
          `setTimeout ${ms ?? 0}`,
          (call) => setTimeout.call(page, call, ms, ...values),
          run,
          true,
        )) as never,
  );
  replace(
    page,
    'setInterval',
    () =>
      ((run: Run, ms?: number, ...values: unknown[]) =>
        start(
          `setInterval ${ms ?? 0}`,
          (call) => setInterval.call(page, call, ms, ...values),
          run,
          false,
        )) as never,
  );
  replace(
    page,
    'requestAnimationFrame',
    () => (run) =>
      start('requestAnimationFrame', (call) => requestAnimationFrame.call(page, call), run as Run, true),
  );
  replace(page, 'clearTimeout', end as never);
  replace(page, 'clearInterval', end as never);
  replace(page, 'cancelAnimationFrame', end as never);
  return () => [...pending.values()];
}

/** Operators subscribe to their source by this method, too, so that derived streams are counted. */
function watchSubscriptions(name: string, stream: Observable<unknown>, replace: Replace): () => string[] {
  let open = 0;
  replace(stream, 'subscribe', (own) => (...observer: unknown[]) => {
    const subscription = own.apply(stream, observer as []);
    open++;
    subscription.add(() => open--);
    return subscription;
  });
  return () => Array.from({ length: open }, () => name);
}

function nameOf({ localName, id, classList }: Element): string {
  return [localName, id && `#${id}`, ...[...classList].map((name) => `.${name}`)].join('');
}
