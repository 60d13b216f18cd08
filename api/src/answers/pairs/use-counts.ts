import type { Logger } from 'pino';
import type { KnowledgeModels } from '../knowledge-models.ts';

/** Time for which counts are accumulated before they are written, in ms. */
const gatherMs = 1000;

export type UseCounts = ReturnType<typeof createUseCounts>;

/** Counts citations of documents and uses of pairs. Counts are written later; answers do not wait. */
export function createUseCounts(
  models: Pick<KnowledgeModels, 'pairs' | 'documents'>,
  log: Pick<Logger, 'warn'>,
) {
  let pairs = new Map<string, number>();
  let documents = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;

  const add = (counts: Map<string, number>, ids: readonly string[]) => {
    for (const id of new Set(ids)) counts.set(id, (counts.get(id) ?? 0) + 1);
  };

  /** Writes accumulated counts. Failures are logged: they must not affect answers. */
  async function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const [hits, cited] = [pairs, documents];
    [pairs, documents] = [new Map(), new Map()];
    try {
      if (hits.size > 0)
        await models.pairs.bulkWrite(
          [...hits].map(([_id, times]) => ({
            updateOne: { filter: { _id }, update: { $inc: { hits: times } } },
          })),
        );
      if (cited.size > 0)
        await models.documents.bulkWrite(
          [...cited].map(([_id, times]) => ({
            updateOne: { filter: { _id }, update: { $inc: { cited: times } } },
          })),
        );
    } catch (failure) {
      log.warn({ err: failure }, 'counting uses of knowledge failed');
    }
  }

  return {
    note(used: { pairs?: readonly string[]; documents?: readonly string[] }): void {
      add(pairs, used.pairs ?? []);
      add(documents, used.documents ?? []);
      if (timer || (pairs.size === 0 && documents.size === 0)) return;
      timer = setTimeout(() => void flush(), gatherMs);
      timer.unref();
    },
    flush,
  };
}
