import type { Collections } from '../collections/collections.ts';
import { unchangedSince } from '../records/change-record.ts';
import type { RecordDocument, RecordModel } from '../records/record.ts';
import { isUnanswered } from '../records/unanswered-mark.ts';
import { within } from '../store/within.ts';
import type { InboxGroupStore } from './inbox-groups.ts';

/** Projection without the answer. */
const withoutAnswer = { answer: 0, citations: 0, reasoning: 0 } as const;
type Due = Omit<RecordDocument, keyof typeof withoutAnswer>;
const slice = 50;

export type InboxSorter = ReturnType<typeof createInboxSorter>;

/** Adds and removes records by the mark that every change of a record sets, see `inboxMark`. */
export function createInboxSorter(
  records: RecordModel,
  groups: InboxGroupStore,
  audienceOf: Collections['audienceOf'],
) {
  let last: Promise<unknown> = Promise.resolve();

  /** Optimistic filter: a record changed since it was read stays due. */
  const seen = (record: Due): Record<string, unknown> => {
    return { _id: record._id, ...unchangedSince(record), inboxDue: true };
  };

  async function enter(record: Due): Promise<string> {
    const audience = await audienceOf(record);
    const id = await groups.find(record.question, audience);
    await groups.markDue(id, { ...record, audience }, record.question);
    const left = record.inbox && record.inbox !== id ? record.inbox : null;
    if (left) await groups.markDue(left, record);
    const $set = { inbox: id, isInInbox: true, audience };
    await records.updateOne(seen(record), { $set, $unset: { inboxDue: 1 } });
    if (left) await groups.recalculate([left]);
    return id;
  }

  async function sortSome(due: readonly Due[]): Promise<void> {
    // Also groups that existed before: their counts or reasons may have changed meanwhile.
    const entering = due.filter(isUnanswered);
    const leaving = due.filter((record) => !isUnanswered(record) && record.inbox);
    const entered = new Set<string>();
    const again = new Set<string>();
    for (const record of entering) {
      const id = await enter(record);
      // A new group is updated immediately because the next question may be similar; others are updated
      // together.
      if (entered.has(id)) again.add(id);
      else await groups.recalculate([id]);
      entered.add(id);
    }
    await groups.recalculate(again);
    // The group is recalculated without them first: after a crash they are still due, and nothing of them
    // remains.
    await groups.recalculate(leaving.map(({ inbox }) => inbox!));
    for (const record of due) {
      if (entering.includes(record)) continue;
      const left = leaving.includes(record) ? { inbox: 1, isInInbox: 1 } : {};
      await records.updateOne(seen(record), { $unset: { inboxDue: 1, ...left } });
    }
  }

  async function sortAll(ms: number): Promise<void> {
    const end = Date.now() + ms;
    await groups.recalculateDue();
    do {
      const due = await records.find({ inboxDue: true }, withoutAnswer).sort({ _id: 1 }).limit(slice).lean();
      if (due.length === 0) return;
      await sortSome(due);
    } while (Date.now() < end);
  }

  return {
    /**
     * Sorts due records for at most `ms`, including time spent waiting for others; the rest stays due. Can be
     * interrupted at any point and run in several processes.
     */
    sort(ms: number): Promise<void> {
      const work = last.then(() => sortAll(ms));
      last = work.catch(() => undefined);
      return within(ms, work);
    },
  };
}
