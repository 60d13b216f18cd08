import type { Handover } from 'api/contract/handover';
import type { HostServices } from 'host/contract';
import { followEvents } from 'host/ui/follow-events.ts';

/** Entry of the storage: ids of the handovers that were open when last heard of. */
const KEY = 'open-handovers';

/** Time in which the API sends all open handovers after the stream has begun, in milliseconds. */
const ROLL_CALL_MS = 10_000;

/** The stream of changes to the visitor's handovers. It is open only while one of them is, and the page is visible. */
interface HandoverStream {
  /** Takes note of a handover that was read or changed. */
  note(handover: Pick<Handover, 'id' | 'state'>): void;
  /** Some handover that is not known yet may be open. */
  expect(): void;
  connect(): () => void;
}

export function createHandoverStream(
  { http, storage, token$ }: Pick<HostServices, 'http' | 'storage' | 'token$'>,
  onHandover: (handover: Handover) => void,
): HandoverStream {
  let isConnected = false;
  let isExpected = false;
  let running: AbortController | null = null;
  let rollCall: ReturnType<typeof setTimeout> | undefined;
  /** Handovers heard of since the stream began. */
  let confirmed = new Set<string>();

  const openIds = () => storage.get<string[]>(KEY) ?? [];
  const save = (ids: string[]) => (ids.length ? storage.set(KEY, ids) : storage.remove(KEY));

  const end = () => {
    clearTimeout(rollCall);
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
          clearTimeout(rollCall);
          confirmed = new Set();
          if (isOpen) rollCall = setTimeout(forgetMissing, ROLL_CALL_MS);
        },
      },
      running.signal,
    );
  };
  /** Opens or closes the stream. Several tabs share few connections, so that hidden ones have none. */
  const adjust = () => {
    const isNeeded = isConnected && !document.hidden && (isExpected || openIds().length > 0);
    if (isNeeded && !running) begin();
    if (!isNeeded && running) end();
  };
  /** Deleted handovers, and those of another owner, would otherwise keep the stream open at each visit. */
  const forgetMissing = () => {
    isExpected = false;
    save(openIds().filter((id) => confirmed.has(id)));
    adjust();
  };
  const restart = () => {
    end();
    adjust();
  };

  return {
    note({ id, state }) {
      const others = openIds().filter((one) => one !== id);
      if (state !== 'closed') confirmed.add(id);
      if (state !== 'closed' || others.length < openIds().length)
        save(state === 'closed' ? others : [...others, id]);
      adjust();
    },
    expect() {
      isExpected = true;
      adjust();
    },
    connect() {
      isConnected = true;
      // Emits its current value first.
      const subscriptions = [token$.subscribe(restart), storage.owner$.subscribe(restart)];
      document.addEventListener('visibilitychange', adjust);
      return () => {
        isConnected = false;
        document.removeEventListener('visibilitychange', adjust);
        for (const subscription of subscriptions) subscription.unsubscribe();
        end();
      };
    },
  };
}
