import type { Connection } from 'mongoose';
import type { Logger } from 'pino';

/** Interval of measurements, in ms. Clocks drift apart by less than a millisecond in this time. */
const measureEveryMs = 60_000;
/** Change of this machine's clock against its monotonic one after which the difference is measured at once, in ms. */
const maxStepMs = 500;
/** Difference that is reported to operators, in ms: the desk works with it, but logs and dates of files are wrong. */
const maxDifferenceMs = 5000;

/** This machine's clock, even while a test replaces `Date.now`. */
const { now: ownNow } = Date;

/** Time by which the database's clock is ahead of this machine's, in ms. A process uses one database. */
let aheadMs = 0;

/** The database's time, in ms: clocks of several machines may differ by hours. */
export const databaseNow = (): number => Date.now() + aheadMs;

/** The same as a date. */
export const databaseDate = (): Date => new Date(databaseNow());

export type DatabaseClock = Awaited<ReturnType<typeof createDatabaseClock>>;

/** Measures the time of the database, at once and with each `measure`. @throws if the database does not answer. */
export async function createDatabaseClock({ db }: Pick<Connection, 'db'>, log?: Pick<Logger, 'warn'>) {
  let measuredAt = Number.NEGATIVE_INFINITY;
  let sinceBoot = 0;
  const isWrong = () => Math.abs(aheadMs) > maxDifferenceMs;

  /** Compares the clocks again if the last time was long ago, or this machine's clock was changed. */
  async function measure(): Promise<void> {
    const asked = performance.now();
    const isSame = Math.abs(ownNow() - asked - sinceBoot) < maxStepMs;
    if (isSame && asked - measuredAt < measureEveryMs) return;
    if (!db) throw new Error('the store is not connected');
    const { localTime } = await db.command({ hello: 1 });
    // In this order, a pause of this process between the two lines counts as transmission time, not as a difference.
    const own = ownNow();
    const answered = performance.now();
    const wasWrong = isWrong();
    // The server read its clock between the question and the answer.
    const ahead = (localTime as Date).getTime() - own + Math.round((answered - asked) / 2);
    // A smaller difference may be caused by the transmission time and by rounding to whole milliseconds.
    aheadMs = Math.abs(ahead) <= answered - asked + 1 ? 0 : ahead;
    measuredAt = answered;
    sinceBoot = own - answered;
    if (isWrong() && !wasWrong)
      log?.warn({ aheadMs }, "this machine's clock differs from the database's: synchronise it");
  }

  await measure();
  return {
    measure,
    now: databaseNow,
    /** Time by which the database's clock is ahead in ms, if operators should know of it; otherwise 0. */
    difference: () => (isWrong() ? aheadMs : 0),
  };
}
