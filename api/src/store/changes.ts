import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { errorCode } from './store-failure.ts';
import { createThrottle } from './throttle.ts';

/** Interval of reading what other processes may have changed while there is no change stream, in ms. */
const pollEveryMs = 2000;
/** Minimum interval between two reads of the same follower, in ms. */
const defaultRestMs = 1000;
/** Time after which the server answers that nothing has changed, in ms. Changes are answered at once. */
const maxAwaitTimeMS = 30_000;
/** Maximum time between attempts to open a change stream, in ms. */
const maxReopenMs = 60_000;
/** The server's error code for a change stream on a standalone server. */
const onlyOnReplicaSets = 40573;

export type Changes = ReturnType<typeof createChanges>;

/**
 * Notices what other processes write, by one change stream for all collections that this process follows. Without a stream (on
 * a standalone server, or while it is interrupted) every follower reads every 2 s. A change only says which collection to read,
 * so nothing is lost when a stream starts again: all followers read then.
 */
export function createChanges(deps: {
  connection: Connection;
  /** Whether no other process uses the database. */
  isAlone: boolean;
  log: Pick<Logger, 'warn'>;
}) {
  const { connection, isAlone, log } = deps;
  const followers: { collection: string; match: Match; soon(): void; stop(): Promise<void> }[] = [];
  const stopping = new AbortController();
  const { signal } = stopping;
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  let hasStreams = !isAlone;
  let isStreaming = false;
  let ended: Promise<void> = Promise.resolve();

  const wakeAll = () => {
    for (const { soon } of followers) soon();
  };

  async function run(): Promise<void> {
    let reopenAt = 0;
    let waitMs = pollEveryMs;
    while (!signal.aborted) {
      if (hasStreams && performance.now() >= reopenAt) {
        await readStream(() => {
          waitMs = pollEveryMs;
        });
        reopenAt = performance.now() + waitMs;
        waitMs = Math.min(2 * waitMs, maxReopenMs);
      }
      wakeAll();
      await delay(pollEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Wakes followers until the stream ends. */
  async function readStream(opened: () => void): Promise<void> {
    const found = followers.map(({ collection, match }) => ({ 'ns.coll': collection, ...match }));
    const wanted = [{ $match: { $or: found } }, { $project: { 'ns.coll': 1 } }];
    const stream = connection.db!.watch(wanted, { maxAwaitTimeMS });
    // Changes before the server had opened the cursor are read now. The driver resumes an interrupted stream at its position.
    stream.once('resumeTokenChanged', () => {
      isStreaming = true;
      opened();
      wakeAll();
    });
    const read = async () => {
      for await (const { ns } of stream as AsyncIterable<{ ns: { coll: string } }>)
        for (const { collection, soon } of followers) if (collection === ns.coll) soon();
    };
    try {
      // The driver interrupts a waiting request only when its client is closed.
      await Promise.race([read(), aborted]);
    } catch (err) {
      if (errorCode(err) === onlyOnReplicaSets) hasStreams = false;
      else if (!signal.aborted) log.warn({ err }, 'the change stream ended: changes are polled meanwhile');
    } finally {
      isStreaming = false;
      void stream.close().catch(() => undefined);
    }
  }

  return {
    /**
     * Calls `read` soon after each change of a collection by any process, never concurrently, and again after a failure.
     * `match` selects change events, if there is a stream. To be called before `start`.
     */
    follow(
      collection: string,
      read: () => Promise<unknown>,
      { match = {}, restMs = defaultRestMs }: { match?: Match; restMs?: number } = {},
    ): void {
      let hasFailed = false;
      const work = async () => {
        try {
          await read();
          hasFailed = false;
        } catch (cause) {
          soon();
          // Repeated failures of an outage would fill the log.
          if (hasFailed) return;
          hasFailed = true;
          throw cause;
        }
      };
      const { soon, stop } = createThrottle(restMs, work, { log, failed: 'reading changes failed' });
      followers.push({ collection, match, soon, stop });
    },

    /** Whether changes arrive by a stream, not by polling. */
    isStreaming: (): boolean => isStreaming,

    start(): void {
      ended = run();
    },

    async stop(): Promise<void> {
      stopping.abort();
      await ended;
      await Promise.all(followers.map(({ stop }) => stop()));
    },
  };
}

type Match = Record<string, unknown>;

/** Change events that insert or update this value. */
export function sets(field: string, value: unknown): Match {
  const changed = { [`updateDescription.updatedFields.${field}`]: value };
  return { $or: [{ [`fullDocument.${field}`]: value }, changed] };
}
