import { createParser } from 'eventsource-parser';

export interface ServerEvent {
  event: string;
  id: string | undefined;
  /** JSON, whose fields are in the contract of the route. */
  data: string;
}

/** Maximum length of an event in UTF-16 units, far above that of any event of this API. */
const MAX_EVENT = 4_000_000;

interface Reading {
  /** Returns true to stop reading. An exception ends reading with it. */
  onEvent(event: ServerEvent): boolean;
  /** Called for all received data, heartbeat comments included. */
  onActivity(): void;
  /** Aborting ends reading without an error. */
  signal?: AbortSignal;
}

/** Reads server-sent events until the stream ends or `onEvent` returns true. Rejects with the stream's error, and for an event that is too long. */
export async function readEvents(
  stream: ReadableStream<Uint8Array>,
  { onEvent, onActivity, signal }: Reading,
): Promise<void> {
  const events = createEventReader(onEvent);
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const free = () => reader.cancel().catch(() => undefined); // already closed or failed
  signal?.addEventListener('abort', free, { once: true });
  try {
    while (!events.isOver() && !signal?.aborted) {
      const { done, value } = await reader.read();
      if (done) return;
      onActivity();
      events.feed(decoder.decode(value, { stream: true }));
    }
  } finally {
    signal?.removeEventListener('abort', free);
    void free();
  }
}

/** Parses the text of an event stream chunk by chunk. `feed` throws what `onEvent` throws. */
export function createEventReader(onEvent: Reading['onEvent']) {
  let isOver = false;
  let broken: unknown;
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent({ event = '', id, data }) {
      if (!isOver) isOver = onEvent({ event, id, data });
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') broken = error;
    },
  });
  return {
    feed(characters: string) {
      parser.feed(characters);
      if (broken) throw broken;
    },
    isOver: () => isOver,
  };
}
