import type { AnswerEvent } from 'api/contract/chat';
import type { ServerEvent } from 'host/ui/read-events.ts';

/** An event with its position: the number of UTF-16 units of the answer that had been sent before it, this event's text included. */
export type PlacedEvent = AnswerEvent & { at: number };

const KNOWN: Record<AnswerEvent['event'], true> = {
  reading: true,
  record: true,
  reasoning: true,
  delta: true,
  done: true,
  error: true,
};

/** A listener of a stream for events of answers; others are ignored. Throws for malformed events, so that the caller can resume. */
export function placed(onEvent: (event: PlacedEvent) => boolean): (event: ServerEvent) => boolean {
  return ({ event, id, data }) =>
    Object.hasOwn(KNOWN, event) &&
    onEvent({ event, data: JSON.parse(data), at: Number(id) || 0 } as PlacedEvent);
}
