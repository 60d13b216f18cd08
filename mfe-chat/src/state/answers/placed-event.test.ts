import { expect, test } from '@jest/globals';
import { readEvents } from 'host/ui/read-events.ts';
import { createEventSource } from '../../testing/event-source.ts';
import { type PlacedEvent, placed } from './answer-stream.ts';

const TEXT =
  'id: 0\nevent: record\ndata: {"recordId":"r1","conversationId":"c1","clientId":null}\n\n' +
  ': a comment\n\n' +
  'id: 4\nevent: delta\ndata: {"text":"退款𠮷"}\n\n' +
  'event: unknown\ndata: {}\n\n' +
  'id: 6\nevent: delta\ndata: {"text":"ok"}\n\n';

async function read(chunks: Uint8Array[]): Promise<PlacedEvent[]> {
  const source = createEventSource();
  const events: PlacedEvent[] = [];
  const reading = readEvents(source.stream, {
    onEvent: placed((event) => events.push(event) > 100),
    onActivity: () => undefined,
  });
  for (const chunk of chunks) source.bytes(chunk);
  source.end();
  await reading;
  return events;
}

test('reads the same events wherever the bytes are split', async () => {
  const bytes = new TextEncoder().encode(TEXT);
  const whole = await read([bytes]);
  expect(whole).toEqual([
    { event: 'record', data: { recordId: 'r1', conversationId: 'c1', clientId: null }, at: 0 },
    { event: 'delta', data: { text: '退款𠮷' }, at: 4 },
    { event: 'delta', data: { text: 'ok' }, at: 6 },
  ]);
  for (let cut = 1; cut < bytes.length; cut += 1)
    expect(await read([bytes.slice(0, cut), bytes.slice(cut)])).toEqual(whole);
});

test('rejects with the error of the stream', async () => {
  const source = createEventSource();
  const reading = readEvents(source.stream, { onEvent: placed(() => false), onActivity: () => undefined });
  source.cut();
  await expect(reading).rejects.toThrow('network error');
});

test('rejects an event that is not JSON', async () => {
  await expect(read([new TextEncoder().encode('event: delta\ndata: {"te\n\n')])).rejects.toThrow();
});

test('stops reading on request while the stream stays open', async () => {
  const source = createEventSource();
  source.bytes(new TextEncoder().encode(TEXT));
  const events: PlacedEvent[] = [];
  const onEvent = (event: PlacedEvent) => events.push(event) === 2;
  await readEvents(source.stream, { onEvent: placed(onEvent), onActivity: () => undefined });
  expect(events).toHaveLength(2);
  expect(source.isCancelled()).toBe(true);
});
