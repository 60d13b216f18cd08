import type { Domains } from './app.ts';
import { repeat } from './store/repeat.ts';

/** Interval of checks for work that dead processes left unfinished, in ms. */
const recoverEveryMs = 15_000;
/** Interval of checks for expired data, in ms. */
const sweepEveryMs = 3_600_000;
/** Interval at which a process notices settings that another one has saved, in ms. */
const settingsEveryMs = 2000;
/** Interval of checks for passages without a vector, in ms. */
const embedEveryMs = 3000;

/** Starts the periodic work of all domains; each kind runs in every process. */
export function startBackgroundJobs(domains: Domains): { stop(): Promise<void> } {
  const { log, accounts, answers, files, records, chat, knowledge, handover, compositions, desk } = domains;
  const stopping = new AbortController();
  compositions.watch();
  const recovering = repeat(recoverEveryMs, log, async () => {
    await chat.recover(false);
    await records.erasures.resume();
    await records.contactBook.resume();
    await knowledge.resume();
    await answers.index.sweep(stopping.signal);
  });
  const sweeping = repeat(sweepEveryMs, log, async () => {
    await records.erasures.sweep();
    await records.contactBook.sweep();
    await accounts.sweep();
    await files.sweep();
    await compositions.sweep();
    await desk.logos.sweep();
    await desk.retention.sweep(stopping.signal);
  });
  const following = repeat(settingsEveryMs, log, () => desk.settings.refresh());
  const embedding = repeat(embedEveryMs, log, async () => answers.embeddings.begin());
  const upgrading = repeat(sweepEveryMs, log, async () => {
    await records.upgrade(stopping.signal);
    await handover.upgrade(stopping.signal);
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all([
        recovering.stop(),
        sweeping.stop(),
        following.stop(),
        upgrading.stop(),
        embedding.stop().then(() => answers.embeddings.stop()),
        compositions.stop(),
        records.erasures.stop(),
        chat.stop(),
        knowledge.stop(),
        handover.changes.stop(),
      ]);
    },
  };
}
