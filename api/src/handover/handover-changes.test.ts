import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { HandoverModel } from './handover.ts';
import { createHandoverChanges } from './handover-changes.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

interface Changed {
  _id: Types.ObjectId;
  owner: string;
  revision: number;
}

/** The changes of a process, and what it reads from the store. */
function startProcess() {
  const stored: Changed[] = [];
  let reads = 0;
  const handovers = {
    find: () => ({
      lean: async () => {
        reads += 1;
        return stored.map((one) => ({ ...one }));
      },
    }),
  } as unknown as HandoverModel;
  return {
    stored,
    readsSoFar: () => reads,
    changes: createHandoverChanges(handovers),
  };
}

const settle = async () => {
  for (let count = 0; count < 20; count += 1) await Promise.resolve();
};

/** Follows changes, and collects what arrives. */
function read(changes: ReturnType<typeof startProcess>['changes'], owner: string | null) {
  const left = new AbortController();
  const seen: string[][] = [];
  const { signal } = left;
  const done = (async () => {
    for await (const ids of changes.follow(owner, signal)) seen.push(ids);
  })();
  return { seen, signal, leave: () => left.abort(), done };
}

const changeOf = (owner: string, revision = 1): Changed => ({ _id: new Types.ObjectId(), owner, revision });
const idOf = ({ _id }: Changed) => _id.toHexString();

test('readers get reports of this process at once, visitors only about their own handovers', async () => {
  const { changes } = startProcess();
  const [visitor, agent] = [read(changes, 'user:1'), read(changes, null)];
  await settle();
  const [own, strange] = [changeOf('user:1'), changeOf('user:2')];
  changes.report(own);
  await settle();
  changes.report(strange);
  await settle();
  expect(visitor.seen).toEqual([[idOf(own)]]);
  expect(agent.seen).toEqual([[idOf(own)], [idOf(strange)]]);
  changes.stop();
  await Promise.all([visitor.done, agent.done]);
});

test('changes by other processes are reported once', async () => {
  const { stored, changes } = startProcess();
  const visitor = read(changes, 'user:1');
  await settle();
  const one = changeOf('user:1');
  stored.push(one, changeOf('user:2'));
  await changes.refresh();
  await settle();
  expect(visitor.seen).toEqual([[idOf(one)]]);
  await changes.refresh();
  await settle();
  expect(visitor.seen).toHaveLength(1);
  one.revision += 1;
  await changes.refresh();
  await settle();
  expect(visitor.seen).toEqual([[idOf(one)], [idOf(one)]]);
  // What this process has reported is not read as a change again.
  one.revision += 1;
  changes.report(one);
  await settle();
  await changes.refresh();
  await settle();
  expect(visitor.seen).toHaveLength(3);
  changes.stop();
});

test('the store is read only while there are readers, and nothing remains of readers who have left', async () => {
  const { changes, readsSoFar } = startProcess();
  await changes.refresh();
  expect(readsSoFar()).toBe(0);
  const [first, second] = [read(changes, 'user:1'), read(changes, null)];
  await settle();
  await changes.refresh();
  expect(readsSoFar()).toBe(1);
  first.leave();
  await first.done;
  await changes.refresh();
  expect(readsSoFar()).toBe(2);
  second.leave();
  await second.done;
  await settle();
  await changes.refresh();
  expect(readsSoFar()).toBe(2);
  expect(jest.getTimerCount()).toBe(0);
  expect(getEventListeners(first.signal, 'abort')).toEqual([]);

  const again = read(changes, null);
  await settle();
  await changes.refresh();
  expect(readsSoFar()).toBe(3);
  changes.stop();
  await again.done;
  expect(jest.getTimerCount()).toBe(0);
});

test('nobody follows after a stop', async () => {
  const { changes, readsSoFar } = startProcess();
  changes.stop();
  const late = read(changes, null);
  await late.done;
  await changes.refresh();
  expect([late.seen, readsSoFar()]).toEqual([[], 0]);
});
