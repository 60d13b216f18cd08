import type { Logger } from 'pino';
import type { UsageCount } from '../answers/model/usage-count.ts';
import { databaseNow } from '../store/database-clock.ts';
import { isDuplicateKey, unlessDuplicate } from '../store/store-failure.ts';
import type { AccountModels, UsageDocument } from './account-models.ts';
import type { OwnedCollection } from './guests.ts';

const dayMs = 86_400_000;

/** `limit` is in tokens per day. 0: unlimited, and nothing is reserved, which saves a write. */
export function createUsageCount(
  usage: AccountModels['usage'],
  limit: number,
  log: Logger,
  now: () => number = databaseNow,
  onUsed: (tokens: number, model: string) => void = () => undefined,
): UsageCount {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

  async function count(owner: string, day: string, more: Pick<UsageDocument, 'questions' | 'tokens'>) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const after = await usage
          .findOneAndUpdate(
            { owner, day },
            { $inc: more, $setOnInsert: { at: new Date(`${day}T00:00:00Z`) } },
            { upsert: true, returnDocument: 'after', projection: { tokens: 1 } },
          )
          .lean();
        return after?.tokens ?? 0;
      } catch (cause) {
        // Two concurrent first questions of a day: the other one has created the document.
        if (attempt === 3 || !isDuplicateKey(cause)) throw cause;
      }
    }
  }

  /** Counts without throwing: the answer has been given, whether or not it could be counted. */
  async function countQuietly(...given: Parameters<typeof count>): Promise<void> {
    await count(...given).catch((cause: unknown) => log.warn({ err: cause }, 'counting model usage failed'));
  }

  return {
    async take(owner, tokens) {
      const day = dayOf(now());
      const aside = limit === 0 ? 0 : tokens;
      if (limit > 0 && (await count(owner, day, { questions: 0, tokens: aside })) - aside >= limit) {
        await countQuietly(owner, day, { questions: 0, tokens: -aside });
        return null;
      }
      let isSettled = false;
      return {
        async settle(used, model) {
          if (isSettled) return;
          isSettled = true;
          onUsed(used, model);
          if (used === 0 && aside === 0) return;
          await countQuietly(owner, day, { questions: used > 0 ? 1 : 0, tokens: used - aside });
        },
      };
    },
    async today(owner) {
      const day = dayOf(now());
      const found = await usage.findOne({ owner, day }).lean();
      return { day, questions: found?.questions ?? 0, tokens: Math.max(0, found?.tokens ?? 0), limit };
    },
    hoursLeft: () => Math.max(1, Math.ceil((dayMs - (now() % dayMs)) / 3_600_000)),
  };
}

/** Usage as data of its owner: days that both have are added. */
export function ownedUsage(usage: AccountModels['usage']): OwnedCollection {
  return {
    async updateMany({ owner: from }, { $set: { owner: to } }) {
      for (;;) {
        const day = await usage.findOne({ owner: from }).lean();
        if (!day) return;
        if (await unlessDuplicate(usage.updateOne({ _id: day._id, owner: from }, { $set: { owner: to } })))
          continue;
        // Removed first: after a crash in between a day's figures are lost rather than counted twice.
        const taken = await usage.findOneAndDelete({ _id: day._id, owner: from }).lean();
        const { questions = 0, tokens = 0 } = taken ?? {};
        await usage.updateOne({ owner: to, day: day.day }, { $inc: { questions, tokens } });
      }
    },
    deleteMany: ({ owner }) => usage.deleteMany({ owner }),
  };
}
