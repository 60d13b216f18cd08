import type { AnswerEvent } from 'api/contract';
import { createParser } from 'eventsource-parser';

/** An event with its place: the number of UTF-16 units of the answer that had been sent when it was. */
export type PlacedEvent = AnswerEvent & { at: number };

/** No answer is anywhere near this long; a stream that is, is not ours. In UTF-16 units. */
const MAX_EVENT = 4_000_000;

/**
 * Reads server-sent events until the stream ends. `heard` is called for every sign of life, comments included. Throws what the
 * stream throws; a malformed event is an error too, so that its reader asks again from the last good place.
 */
export async function readEvents(
  stream: ReadableStream<Uint8Array>,
  { onEvent, heard }: { onEvent(event: PlacedEvent): void; heard(): void },
): Promise<void> {
  let broken: unknown;
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent({ event, id, data }) {
      if (isKnown(event)) onEvent({ event, data: JSON.parse(data), at: Number(id) || 0 } as PlacedEvent);
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') broken = error;
    },
  });
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      parser.feed(decoder.decode(value, { stream: true }));
      if (broken) throw broken;
    }
  } finally {
    await reader.cancel().catch(() => undefined); // already closed or failed: nothing is left to free
  }
}

function isKnown(event: string | undefined): event is AnswerEvent['event'] {
  return event === 'record' || event === 'delta' || event === 'done' || event === 'error';
}
