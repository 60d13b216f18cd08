import { expect, test } from '@jest/globals';
import { readHandoverEvents, readInboxEvents } from './event-stream.ts';

/** A stream with the events of `read`, which follows two changes, and ends the session before the second one. */
async function eventsOf(
  read: (deps: never, isStillThere: () => Promise<boolean>, signal: AbortSignal) => AsyncGenerator<string>,
): Promise<string[]> {
  let changesSeen = 0;
  const changes = {
    async *follow() {
      yield ['h1'];
      yield ['h1'];
    },
  };
  const found = () => ({
    id: 'h1',
    updatedAt: `${changesSeen}`,
    state: 'waiting',
    agent: null,
    messages: [],
  });
  const handovers = { open: async () => [], find: async () => found() };
  const deps = { handovers, inbox: { countOpen: async () => changesSeen }, changes };
  const isStillThere = async () => {
    changesSeen += 1;
    return changesSeen < 2;
  };
  const events: string[] = [];
  for await (const event of read(deps as never, isStillThere, new AbortController().signal))
    events.push(event);
  return events;
}

test('a visitor whose session has ended gets no further event', async () => {
  const events = await eventsOf((deps, isThere, signal) =>
    readHandoverEvents(deps, 'user:1', isThere, signal),
  );
  expect(events).toEqual([': connected\n\n', expect.stringContaining('"updatedAt":"1"')]);
});

test('somebody who no longer answers people gets no further event of the inbox', async () => {
  const events = await eventsOf((deps, isThere, signal) => readInboxEvents(deps, isThere, signal));
  expect(events).toEqual([
    ': connected\n\n',
    expect.stringContaining('{"open":0}'),
    expect.stringContaining('{"open":1}'),
  ]);
});
