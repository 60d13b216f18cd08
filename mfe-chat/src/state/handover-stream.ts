import type { Handover } from 'api/contract/handover';
import type { HostServices } from 'host/contract';
import { followEvents } from 'host/ui/follow-events.ts';

/** Storage key: ids of the handovers that were open according to the last event. */
const KEY = 'open-handovers';

/** Time in which the API sends all open handovers after the stream has begun, in milliseconds. */
const LISTING_MS = 10_000;

/** Name of the lock that lets only one hidden tab follow the changes, because browsers limit the connections to a server. */
const HIDDEN_TAB = 'desk-handovers-in-background';

/** The stream of changes to the visitor's handovers. It is open only while one of them is. */
export function createHandoverStream(
  { http, storage, token$ }: Pick<HostServices, 'http' | 'storage' | 'token$'>,
  onHandover: (handover: Handover) => void,
  /** Called after an interruption: a new stream only reports handovers that are open now. */
  onReconnected: () => void,
) {
  let isConnected = false;
  let wasOpen = false;
  let isExpected = false;
  let running: AbortController | null = null;
  let listing: ReturnType<typeof setTimeout> | undefined;
  /** Open handovers that the server has reported since the stream began. */
  let confirmed = new Set<string>();

  const openIds = () => storage.get<string[]>(KEY) ?? [];
  const save = (ids: string[]) => (ids.length ? storage.set(KEY, ids) : storage.remove(KEY));

  const end = () => {
    clearTimeout(listing);
    running?.abort();
    running = null;
  };
  const begin = () => {
    running = new AbortController();
    void followEvents(
      {
        open: async (signal) => {
          const config = { adapter: 'fetch' as const, responseType: 'stream' as const, signal };
          return (await http.get<ReadableStream<Uint8Array>>('/api/handovers/events', config)).data;
        },
        onEvent({ event, data }) {
          if (event === 'handover') onHandover(JSON.parse(data) as Handover);
        },
        onConnection(isOpen) {
          clearTimeout(listing);
          confirmed = new Set();
          if (!isOpen) return;
          listing = setTimeout(forgetMissing, LISTING_MS);
          if (wasOpen) onReconnected();
          wasOpen = true;
        },
      },
      running.signal,
    );
  };
  /** Set while this hidden tab waits for the lock or holds it; aborting gives it up. */
  let lock: AbortController | null = null;
  let holdsLock = false;
  const requestLock = () => {
    if (lock || !navigator.locks) return;
    const mine = new AbortController();
    lock = mine;
    const hold = () =>
      new Promise<void>((resolve) => {
        if (mine.signal.aborted) return resolve();
        mine.signal.addEventListener('abort', () => resolve(), { once: true });
        holdsLock = true;
        adjust();
      });
    navigator.locks.request(HIDDEN_TAB, { signal: mine.signal }, hold).catch(() => undefined);
  };
  const releaseLock = () => {
    lock?.abort();
    lock = null;
    holdsLock = false;
  };
  /** Opens or closes the stream. */
  const adjust = () => {
    const isWanted = isConnected && (isExpected || openIds().length > 0);
    if (isWanted && document.hidden) requestLock();
    else releaseLock();
    const isNeeded = isWanted && (!document.hidden || holdsLock);
    if (isNeeded && !running) begin();
    if (!isNeeded && running) end();
  };
  /** Otherwise deleted handovers and those of another owner would open the stream each time. */
  const forgetMissing = () => {
    isExpected = false;
    save(openIds().filter((id) => confirmed.has(id)));
    adjust();
  };
  const restart = () => {
    wasOpen = false;
    end();
    adjust();
  };

  return {
    /** Called with each handover that was read or changed. */
    note({ id, state }: Pick<Handover, 'id' | 'state'>): void {
      const others = openIds().filter((one) => one !== id);
      if (state !== 'closed') confirmed.add(id);
      if (state !== 'closed' || others.length < openIds().length)
        save(state === 'closed' ? others : [...others, id]);
      adjust();
    },
    /** Called when a handover may be open that this page does not know yet. */
    expect(): void {
      isExpected = true;
      adjust();
    },
    connect(): () => void {
      isConnected = true;
      // Emits its current value first.
      const subscriptions = [token$.subscribe(restart), storage.owner$.subscribe(restart)];
      document.addEventListener('visibilitychange', adjust);
      return () => {
        isConnected = false;
        document.removeEventListener('visibilitychange', adjust);
        for (const subscription of subscriptions) subscription.unsubscribe();
        releaseLock();
        end();
      };
    },
  };
}
