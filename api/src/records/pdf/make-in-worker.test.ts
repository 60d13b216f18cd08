import { describe, expect, test } from '@jest/globals';
import { archiveRecord } from '../../testing/archives.ts';
import { makeInWorker } from './make-in-worker.ts';
import type { ReportJob, ReportSlice } from './report-job.ts';

const job: ReportJob = {
  language: 'zh',
  title: '',
  filter: {},
  tz: 'UTC',
  mask: false,
  madeAt: '2026-11-21T00:00:00.000Z',
};
const record = archiveRecord(0, { answer: '请在订单页面申请。'.repeat(100) });
const slice: ReportSlice = { records: Array.from({ length: 50 }, () => record), pictures: new Map() };

/** An endless source of slices that counts them and records whether it was ended. */
function endless() {
  const state = { given: 0, isEnded: false };
  async function* give(): AsyncGenerator<ReportSlice> {
    try {
      for (;;) {
        state.given += 1;
        yield slice;
      }
    } finally {
      state.isEnded = true;
    }
  }
  return { state, slices: give() };
}

async function* some(count: number): AsyncGenerator<ReportSlice> {
  for (let index = 0; index < count; index += 1) yield slice;
}

describe('a report created in a worker thread', () => {
  test('contains all slices', async () => {
    const made = await makeInWorker(job, some(3), new AbortController().signal);

    expect(made.records).toBe(150);
    expect(Buffer.from(made.bytes).toString('latin1', 0, 5)).toBe('%PDF-');
    expect(Buffer.from(made.bytes).toString('latin1').trimEnd()).toMatch(/%%EOF$/);
  });

  test('ends immediately when aborted', async () => {
    const left = new AbortController();
    const { state, slices } = endless();
    const watched = (async function* () {
      for await (const one of slices) {
        if (state.given === 3) left.abort();
        yield one;
      }
    })();

    await expect(makeInWorker(job, watched, left.signal)).rejects.toMatchObject({ name: 'AbortError' });

    expect(state).toEqual({ given: 3, isEnded: true });
  });

  test('starts no thread if it is aborted before it begins', async () => {
    const { state, slices } = endless();

    await expect(makeInWorker(job, slices, AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });

    expect(state.given).toBe(0);
  });

  test('is limited in memory: the thread is terminated, and the error says so', async () => {
    const { state, slices } = endless();

    const making = makeInWorker(job, slices, new AbortController().signal, 48);

    await expect(making).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' });
    expect(state.isEnded).toBe(true);
  });

  test('fails with the error of its records', async () => {
    const broken = (async function* (): AsyncGenerator<ReportSlice> {
      yield slice;
      throw new Error('the store went away');
    })();

    await expect(makeInWorker(job, broken, new AbortController().signal)).rejects.toThrow(
      'the store went away',
    );
  });

  test('fails with the error of the thread', async () => {
    const wrong = { ...job, tz: 'Nowhere/Land' };

    await expect(makeInWorker(wrong, some(1), new AbortController().signal)).rejects.toThrow('Nowhere/Land');
  });

  test('does not block the main thread', async () => {
    let isOver = false;
    let turns = 0;
    const others = () => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    others();
    await makeInWorker(job, some(10), new AbortController().signal);
    isOver = true;

    // If it were laid out in this thread, the 10 slices would allow only a few turns each.
    expect(turns).toBeGreaterThan(1000);
  });
});
