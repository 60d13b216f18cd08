import type { Handover } from 'api/contract/handover';
import type { HostServices } from 'host/contract';
import { followEvents } from 'host/ui/follow-events.ts';

/** Entry of the storage: ids of the handovers that were open when last heard of. */
const KEY = 'open-handovers';

/** Time in which the API sends all open handovers after the stream has begun, in milliseconds. */
const ROLL_CALL_MS = 10_000;

/** Only one hidden tab of a browser follows the changes: tabs share few connections. */
const HIDDEN_TAB = 'desk-handovers-in-background';

/** The stream of changes to the visitor's handovers. It is open only while one of them is. */
export function createHandoverStream(
  { http, storage, token$ }: Pick<HostServices, 'http' | 'storage' | 'token$'>,
  onHandover: (handover: Handover) => void,
  /** After a pause of the stream: it only reports those that are open now. */
  onReconnected: () => void,
) {
  let isConnected = false;
  let wasOpen = false;
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
          if (!isOpen) return;
          rollCall = setTimeout(forgetMissing, ROLL_CALL_MS);
          if (wasOpen) onReconnected();
          wasOpen = true;
        },
      },
      running.signal,
    );
  };
  /** Waits to be, or is, the hidden tab that follows the changes. */
  let turn: AbortController | null = null;
  let hasTurn = false;
  const takeTurn = () => {
    if (turn || !navigator.locks) return;
    const mine = new AbortController();
    turn = mine;
    const hold = () =>
      new Promise<void>((resolve) => {
        if (mine.signal.aborted) return resolve();
        mine.signal.addEventListener('abort', () => resolve(), { once: true });
        hasTurn = true;
        adjust();
      });
    navigator.locks.request(HIDDEN_TAB, { signal: mine.signal }, hold).catch(() => undefined);
  };
  const leaveTurn = () => {
    turn?.abort();
    turn = null;
    hasTurn = false;
  };
  /** Opens or closes the stream. */
  const adjust = () => {
    const isWanted = isConnected && (isExpected || openIds().length > 0);
    if (isWanted && document.hidden) takeTurn();
    else leaveTurn();
    const isNeeded = isWanted && (!document.hidden || hasTurn);
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
    wasOpen = false;
    end();
    adjust();
  };

  return {
    /** Takes note of a handover that was read or changed. */
    note({ id, state }: Pick<Handover, 'id' | 'state'>): void {
      const others = openIds().filter((one) => one !== id);
      if (state !== 'closed') confirmed.add(id);
      if (state !== 'closed' || others.length < openIds().length)
        save(state === 'closed' ? others : [...others, id]);
      adjust();
    },
    /** Some handover that is not known yet may be open. */
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
        leaveTurn();
        end();
      };
    },
  };
}
