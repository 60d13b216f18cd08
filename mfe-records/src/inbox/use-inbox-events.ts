import type { InboxEvent } from 'api/contract/handover';
import type { Http } from 'host/contract';
import { followEvents } from 'host/ui/follow-events.ts';
import { useEffect, useState } from 'react';

/**
 * Follows GET /api/inbox/events while mounted and calls `onChange` for each event. `open` is the number of open requests, null at first;
 * `isLost` is true while the stream is being opened again.
 */
export function useInboxEvents(http: Http, onChange: () => void): { open: number | null; isLost: boolean } {
  const [open, setOpen] = useState<number | null>(null);
  const [isLost, setIsLost] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    void followEvents(
      {
        async open(signal) {
          const config = { adapter: 'fetch', responseType: 'stream', signal } as const;
          return (await http.get<ReadableStream<Uint8Array>>('/api/inbox/events', config)).data;
        },
        onEvent({ event, data }) {
          if (leaving.signal.aborted || event !== ('inbox' satisfies InboxEvent['event'])) return;
          setOpen((JSON.parse(data) as InboxEvent['data']).open);
          onChange();
        },
        onConnection(isOpen) {
          if (!leaving.signal.aborted) setIsLost(!isOpen);
        },
      },
      leaving.signal,
    );
    return () => leaving.abort();
  }, [http, onChange]);
  return { open, isLost };
}
