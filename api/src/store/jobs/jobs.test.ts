import { type ChildProcess, spawn } from 'node:child_process';
import { mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData, type TestDatabase } from '../../testing/test-database.ts';
import { until } from '../../testing/until.ts';
import { type Changes, createChanges } from '../changes.ts';
import { createDatabaseClock, type DatabaseClock } from '../database-clock.ts';
import { createThisProcess, leaseMs } from '../process-lease.ts';
import { createJobModel, createJobs, type Job, type JobModel, type Jobs } from './jobs.ts';

const runner = fileURLToPath(new URL('../../testing/run-jobs.ts', import.meta.url));
const hour = 3_600_000;
/** Longer than any job of these tests takes. */
const soon = 20_000;

let dataDir: string;
let database: TestDatabase;
let connection: Connection;
let model: JobModel;
let started: { jobs: Jobs; changes: Changes; end(): void }[];
let children: ChildProcess[];
/** Time by which the database's clock is put forward for all runners of a test. */
let ahead: number;
let clock: Pick<DatabaseClock, 'now' | 'measure'>;

beforeEach(async () => {
  dataDir = await temporaryFolder('desk-jobs');
  database = await openTestDatabase(dataDir);
  connection = await mongoose.createConnection(database.uri, { autoIndex: false }).asPromise();
  model = createJobModel(connection);
  await model.createIndexes();
  const real = await createDatabaseClock(connection);
  ahead = 0;
  clock = { measure: real.measure, now: () => real.now() + ahead };
  started = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(started.flatMap(({ jobs, changes }) => [jobs.stop(), changes.stop()]));
  for (const { end } of started) end();
  await connection.close();
  await database.close();
  await removeTestData(dataDir);
});

type Run = (job: Job, signal: AbortSignal) => Promise<unknown>;
interface Options {
  kinds: Record<string, Run | (Partial<Parameters<Jobs['define']>[0]> & { run: Run })>;
  isAlone?: boolean;
}

/** Another process on the same database, as far as jobs are concerned. */
async function startRunner({ kinds, isAlone = false }: Options): Promise<Jobs> {
  const self = createThisProcess(clock.now);
  const log = { warn: () => undefined, error: () => undefined };
  const changes = createChanges({ connection, isAlone, log });
  const jobs = createJobs({ model, self, clock, isAlone, changes, log });
  for (const [kind, given] of Object.entries(kinds))
    jobs.define({ kind, ...(typeof given === 'function' ? { run: given } : given) });
  started.push({ jobs, changes, end: self.end });
  changes.start();
  jobs.start();
  return jobs;
}

/** A promise for each key, which a job of that key waits for. */
function gates() {
  const all = new Map<string, PromiseWithResolvers<void>>();
  const gate = (key: string) => {
    if (!all.has(key)) all.set(key, Promise.withResolvers<void>());
    return all.get(key)!;
  };
  return { open: (key: string) => gate(key).resolve(), pass: (key: string) => gate(key).promise };
}

const job = (id: string) => model.findById(id).lean();

test('runs a job with its data, once, and forgets it', async () => {
  const ran: unknown[] = [];
  const jobs = await startRunner({
    kinds: {
      greet: async ({ key, data }) => {
        ran.push([key, data]);
      },
    },
  });
  await jobs.add('greet', { key: 'a', data: { name: 'Ada' } });
  expect(await jobs.whenDone('greet', 'a', soon)).toBe(true);
  expect(ran).toEqual([['a', { name: 'Ada' }]]);
  expect(await model.countDocuments({})).toBe(0);
});

test('two processes share the jobs: each runs in one of them', async () => {
  const ran: string[][] = [[], []];
  const kinds = (by: string[]) => ({
    count: {
      concurrency: 3,
      run: async ({ key }: Job) => {
        by.push(key);
      },
    },
  });
  const [one, other] = [
    await startRunner({ kinds: kinds(ran[0]!) }),
    await startRunner({ kinds: kinds(ran[1]!) }),
  ];
  const keys = Array.from({ length: 120 }, (_, at) => String(at));
  await Promise.all(keys.map((key, at) => (at % 2 === 0 ? one : other).add('count', { key })));
  await until(async () => (await model.countDocuments({})) === 0);
  expect(ran.flat().sort()).toEqual([...keys].sort());
});

test('a job that is added again while it waits runs once, while it runs once more', async () => {
  const { open, pass } = gates();
  const ran: unknown[] = [];
  const jobs = await startRunner({
    kinds: {
      work: async ({ data }) => {
        ran.push(data);
        await pass(String(data));
      },
    },
  });
  await jobs.add('work', { key: 'first', data: 'a' });
  await until(() => ran.length === 1);
  // The kind runs one job at a time, so the other one waits.
  await jobs.add('work', { key: 'second', data: 'b' });
  await jobs.add('work', { key: 'second', data: 'c' });
  await jobs.add('work', { key: 'first', data: 'd' });
  for (const data of ['a', 'c', 'd']) open(data);
  expect(await jobs.whenDone('work', 'first', soon)).toBe(true);
  expect(await jobs.whenDone('work', 'second', soon)).toBe(true);
  expect(ran.toSorted()).toEqual(['a', 'c', 'd']);
});

test('a job runs when it is due, or earlier if it is added again', async () => {
  const ran: string[] = [];
  const jobs = await startRunner({
    kinds: {
      late: async ({ key }) => {
        ran.push(key);
      },
    },
  });
  await jobs.add('late', { key: 'a', delayMs: hour });
  await jobs.add('late', { key: 'b', delayMs: hour });
  await jobs.add('late', { key: 'b' });
  expect(await jobs.whenDone('late', 'b', soon)).toBe(true);
  expect(ran).toEqual(['b']);
  ahead += hour;
  await jobs.add('late', { key: 'c' });
  expect(await jobs.whenDone('late', 'a', soon)).toBe(true);
});

test('a failing job is repeated after growing pauses, then operators can list it and run it again', async () => {
  let attempts = 0;
  let isBroken = true;
  const jobs = await startRunner({
    kinds: {
      fail: {
        maxAttempts: 3,
        backoffMs: hour / 60,
        run: async () => {
          attempts += 1;
          if (isBroken) throw new Error('the receiver is broken');
        },
      },
    },
  });
  const pauses: number[] = [];
  await jobs.add('fail', { key: 'a' });
  for (const attempt of [1, 2]) {
    const waiting = await until(async () => {
      const now = await job('fail a');
      return now?.lease === null && now.attempts === attempt && now;
    });
    pauses.push(Math.round((waiting.dueAt!.getTime() - clock.now()) / 60_000));
    ahead += waiting.dueAt!.getTime() - clock.now();
    await jobs.add('nobody knows it', { key: String(attempt) });
  }
  expect(pauses).toEqual([1, 2]);
  expect(await jobs.whenDone('fail', 'a', soon)).toBe(false);
  expect(await jobs.listDead()).toMatchObject([
    { kind: 'fail', key: 'a', attempts: 3, failure: 'the receiver is broken' },
  ]);
  ahead += hour;
  isBroken = false;
  expect(await jobs.revive('fail b')).toBe(false);
  expect(await jobs.revive('fail a')).toBe(true);
  expect(await jobs.whenDone('fail', 'a', soon)).toBe(true);
  expect(attempts).toBe(4);
  expect(await jobs.listDead()).toEqual([]);
});

test('jobs that are added to a queue in the same millisecond keep their order', async () => {
  const jobs = await startRunner({ kinds: {} });
  const { now } = clock;
  const frozen = now();
  clock.now = () => frozen;
  for (const key of ['c', 'a', 'b']) await jobs.add('unknown', { key, queue: 'q' });
  clock.now = now;
  const found = await model.find({ queue: 'q' }).sort({ order: 1 }).lean();
  expect(found.map(({ key }) => key)).toEqual(['c', 'a', 'b']);
  expect(new Set(found.map(({ order }) => order.getTime())).size).toBe(3);
});

test('adding a job that waits moves it to the earlier time and place, with the newest data; ensuring it changes nothing', async () => {
  const jobs = await startRunner({ kinds: {} });
  await jobs.add('unknown', { key: 'a', queue: 'q', data: 1, delayMs: hour });
  const late = (await job('unknown a'))!;
  await jobs.ensure('unknown', { key: 'a', queue: 'q', data: 2 });
  expect(await job('unknown a')).toEqual(late);

  await jobs.add('unknown', { key: 'a', queue: 'q', data: 3, delayMs: 2 * hour });
  expect(await job('unknown a')).toMatchObject({
    dueAt: late.dueAt,
    order: late.order,
    data: 3,
    requests: 2,
  });
  await jobs.add('unknown', { key: 'a', queue: 'q', data: 4 });
  const soonest = (await job('unknown a'))!;
  expect(soonest.dueAt!.getTime()).toBeLessThan(late.dueAt!.getTime() - hour / 2);
  expect(soonest.order.getTime()).toBeLessThan(late.order.getTime() - hour / 2);
  expect(soonest).toMatchObject({ data: 4, requests: 3 });
});

test('a job marks its queue as running until it ends, also by a failure', async () => {
  const { open, pass } = gates();
  const jobs = await startRunner({
    kinds: {
      work: {
        backoffMs: hour,
        run: async ({ key }) => {
          await pass(key);
          throw new Error('x'.repeat(600));
        },
      },
    },
  });
  await jobs.add('work', { key: 'a', queue: 'q' });
  await until(async () => (await job('work a'))?.running === 'q');
  // The index refuses a second one, whichever process starts it.
  await expect(
    model.create({ _id: 'work b', kind: 'work', key: 'b', queue: 'q', order: new Date(), running: 'q' }),
  ).rejects.toMatchObject({ code: 11000 });
  open('a');
  const failed = await until(async () => {
    const now = await job('work a');
    return now?.lease === null && now;
  });
  expect(failed.running).toBeUndefined();
  expect(failed.failure).toBe('x'.repeat(500));
});

test.each([
  ['a job', {}, 300_000],
  ['a periodic job', { everyMs: 2_000, backoffMs: hour }, 2_000],
])('%s that fails for long is tried again after its longest pause', async (_, options, longestMs) => {
  const now = new Date(clock.now() - 1000);
  await model.create({ _id: 'fail ', kind: 'fail', key: '', order: now, dueAt: now, attempts: 40 });
  const fail = {
    maxAttempts: 100,
    ...options,
    run: async () => {
      throw new Error('broken');
    },
  };
  await startRunner({ kinds: { fail } });
  const failed = await until(async () => {
    const found = await job('fail ');
    return found?.lease === null && found.failure !== '' && found;
  });
  const waitMs = failed.dueAt!.getTime() - clock.now();
  expect(waitMs).toBeLessThanOrEqual(longestMs);
  if (longestMs > 100_000) expect(waitMs).toBeGreaterThan(longestMs - 60_000);
});

test('dead letters are listed oldest first; only a dead one is run again, with all of its attempts', async () => {
  const jobs = await startRunner({ kinds: {} });
  const dead = { kind: 'unknown', dueAt: null, attempts: 10, failure: 'broken' };
  for (const [key, at] of [
    ['new', 2000],
    ['old', 1000],
  ] as const)
    await model.create({ _id: `unknown ${key}`, key, order: new Date(at), ...dead });
  expect((await jobs.listDead()).map(({ key }) => key)).toEqual(['old', 'new']);

  expect(await jobs.revive('unknown old')).toBe(true);
  expect(await job('unknown old')).toMatchObject({ attempts: 0, lease: null });
  expect(await jobs.revive('unknown old')).toBe(false);
  expect((await jobs.listDead()).map(({ key }) => key)).toEqual(['new']);
});

test('adding a dead letter runs it again; attempts that fail because the database is unavailable do not count', async () => {
  const ran: number[] = [];
  const failures = [new Error('broken'), Object.assign(new Error('gone'), { name: 'MongoNetworkError' })];
  const jobs = await startRunner({
    kinds: {
      fail: {
        maxAttempts: 1,
        run: async ({ attempts }) => {
          ran.push(attempts);
          const failure = failures.shift();
          if (failure) throw failure;
        },
      },
    },
  });
  await jobs.add('fail');
  expect(await jobs.whenDone('fail', '', soon)).toBe(false);
  await jobs.add('fail');
  expect(await jobs.whenDone('fail', '', soon)).toBe(true);
  expect(ran).toEqual([1, 1, 1]);
});

test('jobs of a queue run one after the other and in order, in all processes; those of others do not wait', async () => {
  const { open, pass } = gates();
  const events: string[] = [];
  const kinds = {
    step: {
      concurrency: 10,
      run: async ({ key, queue }: Job) => {
        events.push(`${key} begins`);
        if (queue === 'held') await pass(key);
        events.push(`${key} ends`);
      },
    },
  };
  const [one, other] = [await startRunner({ kinds }), await startRunner({ kinds })];
  await one.add('step', { key: '1', queue: 'held' });
  await until(() => events.includes('1 begins'));
  for (const key of ['2', '3', '4']) await one.add('step', { key, queue: 'held' });
  await other.add('step', { key: 'x', queue: 'free' });
  expect(await other.whenDone('step', 'x', soon)).toBe(true);
  for (const key of ['4', '3', '2', '1']) open(key);
  expect(await other.whenDone('step', '4', soon)).toBe(true);
  const held = events.filter((event) => !event.startsWith('x'));
  expect(held).toEqual(['1', '2', '3', '4'].flatMap((key) => [`${key} begins`, `${key} ends`]));
  expect(events.indexOf('x ends')).toBeLessThan(events.indexOf('1 ends'));
});

test('while a job of a queue runs, its process reads nothing of the others in the queue', async () => {
  const { open, pass } = gates();
  const jobs = await startRunner({
    kinds: { busy: { concurrency: 20, run: ({ key }) => pass(key) }, other: async () => undefined },
  });
  await jobs.add('busy', { key: 'first', queue: 'q' });
  await until(async () => (await job('busy first'))?.running);
  const keys = Array.from({ length: 10 }, (_, at) => `${at}`);
  for (const key of keys) await jobs.add('busy', { key, queue: 'q' });
  const asked = jest.spyOn(model, 'exists');
  await jobs.add('other');
  expect(await jobs.whenDone('other', '', soon)).toBe(true);
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
  for (const key of ['first', ...keys]) open(key);
  for (const key of keys) expect(await jobs.whenDone('busy', key, soon)).toBe(true);
});

test('jobs of many queues, added by two processes, never overlap within a queue', async () => {
  const active = new Map<string, number>();
  let most = 0;
  let ran = 0;
  const kinds = {
    step: {
      concurrency: 8,
      run: async ({ queue }: Job) => {
        const now = (active.get(queue!) ?? 0) + 1;
        active.set(queue!, now);
        most = Math.max(most, now);
        await model.countDocuments({});
        active.set(queue!, now - 1);
        ran += 1;
      },
    },
  };
  const [one, other] = [await startRunner({ kinds }), await startRunner({ kinds })];
  const added = Array.from({ length: 60 }, (_, at) =>
    (at % 2 ? one : other).add('step', { key: String(at), queue: `of ${at % 7}` }),
  );
  await Promise.all(added);
  await until(async () => (await model.countDocuments({})) === 0);
  expect([ran, most]).toEqual([60, 1]);
});

test('a process that stops releases its jobs, and another one runs them at once', async () => {
  const signals: AbortSignal[] = [];
  const one = await startRunner({
    kinds: {
      work: (_, signal) => {
        signals.push(signal);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    },
  });
  await one.add('work', { key: 'a', queue: 'q' });
  await until(() => signals.length === 1);
  await one.stop();
  expect(await job('work a')).toMatchObject({ lease: null, attempts: 0 });
  const ran: string[] = [];
  const other = await startRunner({
    kinds: {
      work: async ({ key }) => {
        ran.push(key);
      },
    },
  });
  expect(await other.whenDone('work', 'a', soon)).toBe(true);
  expect(ran).toEqual(['a']);
});

test('a job whose lease has ended is taken over, and the end of the first run has no effect', async () => {
  const { open, pass } = gates();
  const ran: string[] = [];
  const kinds = (name: string) => ({
    work: async () => {
      ran.push(name);
      await pass(name);
    },
  });
  const one = await startRunner({ kinds: kinds('one') });
  await one.add('work', { key: 'a', queue: 'q' });
  await until(() => ran.length === 1);
  const other = await startRunner({ kinds: kinds('other') });
  await other.add('work', { key: 'b', queue: 'q' });
  expect(ran).toEqual(['one']);
  ahead += leaseMs + 1;
  await other.add('nobody knows it');
  await until(() => ran.length === 2);
  open('one');
  await one.stop();
  expect(await job('work a')).toMatchObject({ attempts: 2 });
  open('other');
  expect(await other.whenDone('work', 'b', soon)).toBe(true);
  expect(ran).toEqual(['one', 'other', 'other']);
  expect(await job('work a')).toBeNull();
});

test('a running job renews its lease, and its run learns that another process has taken it over', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  try {
    let isLost = false;
    const work: Run = (_job, signal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          isLost = true;
          resolve();
        });
      });
    const one = await startRunner({ kinds: { work } });
    await one.add('work');
    const leased = await until(async () => (await job('work '))?.lease);
    ahead += 1000;
    // More than once: the lease is stored before the interval begins.
    const afterInterval = (is: () => boolean | Promise<boolean>) =>
      until(() => {
        mock.timers.tick(leaseMs / 3);
        return is();
      });
    await afterInterval(async () => (await job('work '))!.lease!.until > leased.until);
    expect(isLost).toBe(false);
    await model.updateOne({ _id: 'work ' }, { $set: { 'lease.process': 'another' } });
    await afterInterval(() => isLost);
    await one.stop();
    expect(await job('work ')).toMatchObject({ lease: { process: 'another' } });
  } finally {
    mock.timers.reset();
  }
});

test('a periodic job runs in one process, at each start and after its interval; failures never end it', async () => {
  let ran = 0;
  let failsNext = false;
  const kinds = {
    sweep: {
      everyMs: hour,
      queue: 'sweeps',
      run: async () => {
        ran += 1;
        if (failsNext) throw new Error('failed');
      },
    },
    other: { everyMs: 2 * hour, queue: 'sweeps', run: async () => undefined },
  };
  const isWaiting = async (id: string) => (await job(id))?.lease === null;
  const one = await startRunner({ kinds });
  await until(async () => ran === 1 && (await isWaiting('sweep ')) && (await isWaiting('other ')));
  const next = (await job('sweep '))!.dueAt!.getTime() - clock.now();
  expect(next).toBeGreaterThan(hour - soon);
  await startRunner({ kinds });
  await until(async () => ran === 2 && (await isWaiting('sweep ')));
  ahead += hour;
  failsNext = true;
  await one.add('nobody knows it');
  await until(async () => ran === 3 && (await isWaiting('sweep ')));
  const sweep = await until(async () => {
    const now = await job('sweep ');
    return now?.attempts === 1 && now;
  });
  expect(sweep).toMatchObject({ failure: 'failed' });
  expect(await one.listDead()).toEqual([]);
  expect(sweep.dueAt!.getTime() - clock.now()).toBeLessThan(hour);
});

test('a periodic job that fails does not delay the others of its queue', async () => {
  let isGood = false;
  const often = { everyMs: hour, queue: 'q', backoffMs: hour };
  const bad = { ...often, run: () => Promise.reject(new Error('always')) };
  const good = {
    ...often,
    async run() {
      isGood = true;
    },
  };
  await startRunner({ kinds: { bad, good } });
  await until(() => isGood);
  expect(await job('bad ')).toMatchObject({ attempts: 1, failure: 'always' });
});

test('jobs of kinds that a process does not know are left to others', async () => {
  const old = await startRunner({ kinds: { known: async () => undefined } });
  await old.add('new');
  await old.add('known');
  expect(await old.whenDone('known', '', soon)).toBe(true);
  expect(await job('new ')).toMatchObject({ attempts: 0 });
  const other = await startRunner({ kinds: { new: async () => undefined } });
  expect(await other.whenDone('new', '', soon)).toBe(true);
});

test('whenDone waits for other processes, up to its limit', async () => {
  const { open, pass } = gates();
  const worker = await startRunner({ kinds: { work: () => pass('work') } });
  const asker = await startRunner({ kinds: {} });
  expect(await asker.whenDone('work', '', soon)).toBe(true);
  await asker.add('work');
  expect(await asker.whenDone('work', '', 60)).toBe(false);
  await worker.add('nobody knows it');
  open('work');
  expect(await asker.whenDone('work', '', soon)).toBe(true);
});

test('whenDone does not wait for a dead letter', async () => {
  const work = async () => {
    throw new Error('always');
  };
  const jobs = await startRunner({ kinds: { work: { run: work, maxAttempts: 1 } } });
  await jobs.add('work');
  let isDone: boolean | undefined;
  void jobs.whenDone('work', '', hour).then((done) => {
    isDone = done;
  });
  await until(() => isDone !== undefined);
  expect(isDone).toBe(false);
});

test('a process alone takes over at its start what an earlier one has not finished', async () => {
  const ran: string[] = [];
  const lease = { process: 'earlier', host: 'another host', pid: 1, until: new Date(clock.now() + hour) };
  const held = {
    _id: 'work a',
    kind: 'work',
    key: 'a',
    lease,
    dueAt: lease.until,
    order: new Date(clock.now()),
  };
  await model.create({ ...held, queue: null, data: null, failure: '', attempts: 1, requests: 1 });
  const kinds = {
    work: async ({ key }: Job) => {
      ran.push(key);
    },
  };
  const one = await startRunner({ kinds });
  await one.add('work', { key: 'b' });
  expect(await one.whenDone('work', 'b', soon)).toBe(true);
  expect(ran).toEqual(['b']);
  const alone = await startRunner({ kinds, isAlone: true });
  expect(await alone.whenDone('work', 'a', soon)).toBe(true);
});

/** What a child process has printed. */
function startChild(name: string, wrongByMs = 0) {
  const child = spawn(process.execPath, [runner, database.uri, name, String(wrongByMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const said: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(...text.trim().split('\n')));
  return { child, said, started: () => until(() => said.includes('started')) };
}

test('processes with clocks an hour behind and ahead neither steal nor delay jobs', async () => {
  const behind = startChild('behind', -hour);
  await behind.started();
  const jobs = await startRunner({ kinds: {} });
  await jobs.add('hang', { key: 'held' });
  await until(() => behind.said.includes('held'));
  const early = startChild('ahead', hour);
  await early.started();
  // It has looked for jobs when it has done these.
  for (const name of ['ahead', 'behind']) await jobs.add(`say to ${name}`, { key: `due for ${name}` });
  await jobs.add('say to ahead', { key: 'not due', delayMs: hour / 2 });
  await until(() => early.said.includes('due for ahead') && behind.said.includes('due for behind'));
  expect(early.said).toEqual(['started', 'due for ahead']);
  expect(await job('hang held')).toMatchObject({ lease: { pid: behind.child.pid }, attempts: 1 });
  expect(await job('say to ahead not due')).toMatchObject({ attempts: 0 });
});

test('a job of a killed process is taken over by the next start on this machine', async () => {
  const { child, said, started } = startChild('one');
  await started();
  const jobs = await startRunner({ kinds: {} });
  await jobs.add('hang', { key: 'held', queue: 'q' });
  await jobs.add('say', { key: 'later', queue: 'q' });
  await until(() => said.includes('held'));
  child.kill('SIGKILL');
  await until(() => child.signalCode);
  const ran: string[] = [];
  const run = async ({ key }: Job) => {
    ran.push(key);
  };
  const next = await startRunner({ kinds: { hang: run, say: run } });
  expect(await next.whenDone('say', 'later', soon)).toBe(true);
  expect(ran).toEqual(['held', 'later']);
});
