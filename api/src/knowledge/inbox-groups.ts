import { createHmac } from 'node:crypto';
import { questionKey } from '../answers/retrieve/question-key.ts';
import type { RecordDocument, RecordModel } from '../records/record.ts';
import { retryConflicts } from '../store/retry-conflicts.ts';
import { unlessDuplicate } from '../store/store-failure.ts';
import { areSimilar, lookUpsOf, parseQuestion } from './question-similarity.ts';
import type { UnansweredGroup, UnansweredModel } from './unanswered.ts';

/** Maximum phrasings shown, compared, and remembered as keys. */
const maxPhrasings = 6;
const maxCompared = 3;
const maxKeys = 50;

/** Phrasings are taken from this many of the latest records. */
const latest = 200;

/** Groups per query. */
const maxAtOnce = 40;

const maxDismissed = 500;

type Seen = Pick<RecordDocument, '_id' | 'question' | 'language' | 'createdAt' | 'source' | 'audience'>;

export type InboxGroupStore = ReturnType<typeof createInboxGroups>;

/**
 * The groups of the inbox. Each is derived from the records that reference it, and recalculated when one is
 * added or removed.
 * `key` is used for these groups only, see `deriveKey`: deleted questions cannot be guessed from the
 * remaining hashes.
 */
export function createInboxGroups(groups: UnansweredModel, records: RecordModel, key: Buffer) {
  const hashOf = (question: string, audience: readonly string[]) =>
    createHmac('sha256', key)
      .update([...audience, questionKey(question)].join('\n'))
      .digest('hex');

  async function findSimilar(question: string, audience: readonly string[]): Promise<string | null> {
    const ofAudience = audience.length > 0 ? { audience: { $all: audience } } : {};
    const said = parseQuestion(question);
    const seen = new Set<string>();
    for (const words of lookUpsOf(said)) {
      const fitting = { terms: { $all: words }, ...ofAudience };
      const found = await groups.find(fitting, { ways: 1, audience: 1 }).limit(maxAtOnce).lean();
      for (const { _id, ways, audience: other = [] } of found) {
        if (seen.has(_id) || other.join() !== audience.join()) continue;
        seen.add(_id);
        if (ways.slice(0, maxCompared).some((way) => areSimilar(said, parseQuestion(way)))) return _id;
      }
    }
    return null;
  }

  function read(id: string): Promise<Seen[]> {
    return records
      .find(inGroup(id), { question: 1, language: 1, createdAt: 1, source: 1, audience: 1 })
      .sort({ createdAt: -1, _id: -1 })
      .limit(latest)
      .lean();
  }

  /** false: a record was added or removed concurrently. */
  async function recalculateOne(id: string): Promise<boolean> {
    const before = await groups.findById(id).lean();
    const seen = await read(id);
    const isAll = seen.length < latest;
    const count = isAll ? seen.length : await records.countDocuments(inGroup(id));
    const notFound = isAll
      ? seen.filter(({ source }) => source === 'none').length
      : Math.min(count, await records.countDocuments({ ...inGroup(id), source: 'none' }));
    if (!before) {
      if (count === 0) return true;
      await markDue(id, seen[0]!);
      return false;
    }
    const asSeen = { _id: id, revision: before.revision };
    if (count === 0 && before.state === 'open') return (await groups.deleteOne(asSeen)).deletedCount === 1;
    const written = await groups.updateOne(asSeen, {
      $set: { ...derived(seen, before), count, notFound, notHelpful: count - notFound, isDue: false },
    });
    return written.matchedCount === 1;
  }

  function derived(seen: readonly Seen[], { state, keys, audience = [], answerableAt }: UnansweredGroup) {
    const ways = distinct(seen);
    const [last] = seen;
    const hashes = ways.slice(0, maxKeys).map((way) => hashOf(way, audience));
    const terms = ways.slice(0, maxCompared).flatMap((way) => parseQuestion(way).words);
    return {
      question: last?.question ?? '',
      ways: ways.slice(0, maxPhrasings),
      // A dismissed group keeps matching the same question after its text has been deleted.
      keys: state === 'dismissed' ? [...new Set([...hashes, ...keys])].slice(0, maxDismissed) : hashes,
      terms: [...new Set(terms)],
      ...(last ? { language: last.language, lastAskedAt: last.createdAt } : {}),
      // It was asked since, and not answered.
      ...(answerableAt && last && last.createdAt > answerableAt ? { answerableAt: null } : {}),
    };
  }

  function distinct(seen: readonly Seen[]): string[] {
    const ways = new Map<string, string>();
    for (const { question } of seen) {
      const same = questionKey(question);
      if (!ways.has(same)) ways.set(same, question);
    }
    return [...ways.values()];
  }

  /**
   * To be called before a record joins a group, so that after a crash `recalculateDue` corrects the group. With `question`, similar
   * questions that another process sorts find a new group at once.
   */
  async function markDue(
    _id: string,
    record: Pick<RecordDocument, 'language' | 'audience'>,
    question?: string,
  ): Promise<void> {
    const { language, audience = [] } = record;
    const said =
      question === undefined
        ? {}
        : { keys: [hashOf(question, audience)], ways: [question], terms: parseQuestion(question).words };
    const $setOnInsert = { state: 'open', language, audience, ...said } as const;
    const due = { $set: { isDue: true }, $inc: { revision: 1 }, $setOnInsert };
    const written = groups.updateOne({ _id }, due, { upsert: true });
    // Concurrent insert: the other process has created it.
    if (!(await unlessDuplicate(written))) await markDue(_id, record, question);
  }

  async function recalculateAll(ids: Iterable<string>): Promise<void> {
    for (const id of new Set(ids)) {
      // A concurrent recalculation from the previous records must not be the last one.
      await groups.updateOne({ _id: id }, { $set: { isDue: true }, $inc: { revision: 1 } });
      await retryConflicts(async () => (await recalculateOne(id)) || null);
    }
  }

  return {
    /** The id of the group for a question of an audience, a new one if needed. Compares with about 200 groups at most. */
    async find(question: string, audience: readonly string[]): Promise<string> {
      const hash = hashOf(question, audience);
      const same = await groups.findOne({ keys: hash }, { _id: 1 }).lean();
      return same?._id ?? (await findSimilar(question, audience)) ?? hash.slice(0, 24);
    },
    markDue,
    /** Recalculates groups from their current records. Empty ones are deleted. */
    recalculate: recalculateAll,
    /** Recalculates the groups left over by a crash. */
    async recalculateDue(): Promise<void> {
      const due = await groups.find({ isDue: true }, { _id: 1 }).limit(latest).lean();
      await recalculateAll(due.map(({ _id }) => _id));
    },
    /** Its distinct phrasings, the latest first. */
    async phrasings(id: string): Promise<string[]> {
      return distinct(await read(id));
    },
  };
}

/** Filter for the records of a group: due records may be about to leave it. */
export function inGroup(id: string): Record<string, unknown> {
  return { inbox: id, inboxDue: null, erasedBy: null, isInInbox: true };
}
