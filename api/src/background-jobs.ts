import type { Domains } from './open-domains.ts';
import { sets } from './store/changes.ts';
import { repeat } from './store/repeat.ts';

/** Interval of checks for expired data, in ms. */
const sweepEveryMs = 3_600_000;
/** Minimum interval between checks of the inbox, in ms. */
const inboxEveryMs = 15_000;
/** Minimum interval between checks whether golden questions must be asked again, in ms. */
const goldenEveryMs = 10_000;
/** Interval of checks whether open event streams may still be read, while there is no change stream, in ms. */
const streamsEveryMs = 500;
/** Minimum interval of these checks if there is a change stream, in ms: they follow changes. */
const streamsRestMs = 100;
/** Interval at which counts are checked while documents are changed, in ms. */
const countEveryMs = 60_000;

/** Starts the background work of all domains: jobs, and timers of each process. */
export function startBackgroundJobs(domains: Domains): { stop(): Promise<void> } {
  const { log, jobs, changes, isAlone, audit, auditStream, accounts, answers, files, records, chat } =
    domains;
  const { knowledge, handover, compositions, desk, transfers } = domains;
  const sweep = (kind: string, run: (signal: AbortSignal) => Promise<unknown>) =>
    jobs.define({
      kind,
      everyMs: sweepEveryMs,
      queue: 'sweeps',
      // What it returns is a number of things, not the time until its next run.
      run: async (_, signal) => void (await run(signal)),
    });
  sweep('continue deletions', () => records.deletions.resume());
  sweep('continue changes of contacts', () => records.contactBook.resume());
  sweep('purge deletions', (signal) => records.deletions.sweep(signal));
  sweep('forget contact undos', () => records.contactBook.sweep());
  sweep('forget explanations', (signal) => records.forgetReasons(signal));
  sweep('remove expired accounts', () => accounts.sweep());
  sweep('shorten the audit log', () => audit.sweep());
  sweep('remove lost files', () => files.sweep());
  sweep('remove releases', () => compositions.sweep());
  sweep('find documents to index', () => knowledge.indexing.resume());
  sweep('remove unused logos', () => desk.logos.sweep());
  sweep('count days', (signal) => records.deskDays.sweep(signal));
  sweep('retention', (signal) => desk.retention.sweep(signal));
  sweep('upgrade records', (signal) => records.upgrade(signal));
  sweep('compare golden questions', () => knowledge.goldenRuns.notice(true));
  jobs.define({ kind: transfers.kind, run: transfers.run });
  const noticesGolden = () => knowledge.goldenRuns.notice();
  const sortsInbox = async () => {
    if (await knowledge.inbox.isDue()) await jobs.ensure('sort inbox');
  };
  jobs.define({
    kind: 'sort inbox',
    maxAttempts: Number.POSITIVE_INFINITY,
    async run() {
      await knowledge.inbox.resume();
      return (await knowledge.inbox.isDue()) ? inboxEveryMs : undefined;
    },
  });
  jobs.define({
    kind: records.countedDays.kind,
    everyMs: sweepEveryMs,
    run: (_, signal) => records.countedDays.sweep(signal),
  });
  jobs.define({
    kind: 'passage vectors',
    everyMs: sweepEveryMs,
    run: (_, signal) => answers.embeddings.finish(signal),
  });
  jobs.define({
    kind: 'count terms',
    everyMs: sweepEveryMs,
    run: async (_, signal) => ((await answers.index.sweep(signal)) ? countEveryMs : undefined),
  });
  if (auditStream) {
    const kind = 'send the audit log';
    jobs.define({ kind, everyMs: sweepEveryMs, run: (_, signal) => auditStream.send(signal) });
    const sendsAudit = async () => {
      if (await auditStream.isDue()) await jobs.add(kind);
    };
    changes.follow('audit', sendsAudit, { match: { operationType: 'insert' } });
  }
  const { streams } = accounts;
  changes.follow('sessions', streams.refresh, { restMs: streamsRestMs, match: { operationType: 'delete' } });
  for (const collection of ['users', 'groups'])
    changes.follow(collection, streams.refresh, { restMs: streamsRestMs });
  const isAdopted = { 'updateDescription.updatedFields.adoptedBy': { $exists: true } };
  changes.follow('guests', streams.refreshGuests, { match: isAdopted });
  changes.follow('handovers', handover.changes.refresh);
  changes.follow('records', sortsInbox, { restMs: inboxEveryMs, match: sets('inboxDue', true) });
  changes.follow('unanswered', sortsInbox, { restMs: inboxEveryMs });
  changes.follow('desk_revisions', desk.settings.refresh);
  changes.follow('synonyms', knowledge.synonyms.read);
  for (const collection of ['term_counts', 'pairs', 'desk_revisions', 'synonyms'])
    changes.follow(collection, noticesGolden, { restMs: goldenEveryMs });
  if (!isAlone) changes.follow('embedding_states', answers.embeddings.sync);
  changes.start();
  jobs.start();
  compositions.watch();
  const ending = repeat(streamsEveryMs, log, async () => {
    if (!changes.isStreaming()) await streams.refresh();
  });
  const renewing = repeat(sweepEveryMs, log, async () => {
    await Promise.all([files.renew(), streams.extend()]);
  });
  return {
    async stop() {
      handover.changes.stop();
      await Promise.all([
        changes.stop(),
        jobs.stop(),
        ending.stop(),
        renewing.stop(),
        compositions.stop(),
        chat.stop(),
      ]);
      await answers.embeddings.stop();
    },
  };
}
