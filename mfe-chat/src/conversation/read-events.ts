import type { AnswerEvent } from 'api/contract/chat';
import { createParser } from 'eventsource-parser';

/** An event with its place: the number of UTF-16 units of the answer that had been sent when it was. */
export type PlacedEvent = AnswerEvent & { at: number };

/** No answer is anywhere near this long; a stream that is, is not ours. In UTF-16 units. */
const MAX_EVENT = 4_000_000;

interface Reading {
  /** Returns true when it has heard enough. */
  onEvent(event: PlacedEvent): boolean;
  /** Called for every sign of life, comments included. */
  heard(): void;
  /** Aborting ends the reading quietly. */
  signal?: AbortSignal;
}

/**
 * Reads server-sent events until the stream ends, or its reader has heard enough. Throws what the stream throws; a malformed event is
 * an error too, so that its reader asks again from the last good place.
 */
export async function readEvents(
  stream: ReadableStream<Uint8Array>,
  { onEvent, heard, signal }: Reading,
): Promise<void> {
  const events = createEventReader(onEvent);
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const free = () => reader.cancel().catch(() => undefined); // closed or failed already: nothing is left to free
  signal?.addEventListener('abort', free, { once: true });
  try {
    while (!events.isOver() && !signal?.aborted) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      events.feed(decoder.decode(value, { stream: true }));
    }
  } finally {
    signal?.removeEventListener('abort', free);
    void free();
  }
}

/** Takes a stream's characters as they come. `feed` throws what is malformed. */
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
