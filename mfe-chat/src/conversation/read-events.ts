import type { AnswerEvent } from 'api/contract/chat';
import { createParser } from 'eventsource-parser';

/** An event with its position: the number of UTF-16 units of the answer that had been sent before it, this event's text included. */
export type PlacedEvent = AnswerEvent & { at: number };

/** Maximum length of an event in UTF-16 units, far above any real answer: a longer one does not come from this API. */
const MAX_EVENT = 4_000_000;

interface Reading {
  /** Returns true to stop reading. */
  onEvent(event: PlacedEvent): boolean;
  /** Called for all received data, heartbeat comments included. */
  onActivity(): void;
  /** Aborting ends reading without an error. */
  signal?: AbortSignal;
}

/**
 * Reads server-sent events until the stream ends or `onEvent` returns true. Rejects with the stream's error, and for a malformed event, so
 * that the caller can resume from the last good position.
 */
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

/** Parses the text of an event stream chunk by chunk. `feed` throws on malformed events. */
export function createEventReader(onEvent: (event: PlacedEvent) => boolean) {
  let isOver = false;
  let broken: unknown;
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent({ event, id, data }) {
      if (isOver || !isKnown(event)) return;
      isOver = onEvent({ event, data: JSON.parse(data), at: Number(id) || 0 } as PlacedEvent);
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

const KNOWN: Record<AnswerEvent['event'], true> = {
  reading: true,
  record: true,
  reasoning: true,
  delta: true,
  done: true,
  error: true,
};

function isKnown(event: string | undefined): event is AnswerEvent['event'] {
  return event !== undefined && Object.hasOwn(KNOWN, event);
}
