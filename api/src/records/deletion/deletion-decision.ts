import { randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import { databaseDate } from '../../store/database-clock.ts';
import { inSlices } from '../../store/in-slices.ts';
import { type HiddenRecords, meaning, type RecordCondition } from '../hidden-records.ts';
import type { RecordModels } from '../record-models.ts';
import type { Audits } from './audits.ts';
import { type DeletionDocument, deletionDefaults } from './deletion.ts';

/** The criteria of a deletion; omitted fields match anything. */
export type Criteria = Pick<DeletionDocument, 'kind'> &
  Partial<
    Pick<
      DeletionDocument,
      'conversationId' | 'contactId' | 'contactName' | 'from' | 'to' | 'tz' | 'since' | 'until' | 'ids'
    >
  > & {
    /** The criteria of a selection, for the audit log. */
    by?: { contact: string | null; text: string | null };
  };

/** The existing records that match a deletion's criteria. */
export interface Matched {
  count: number;
  lastAt: Date | null;
}

const day = 86_400_000;

/** Maximum number of ids per query. */
const slice = 1000;

export function createDeletionDecision(
  { deletions, records }: Pick<RecordModels, 'deletions' | 'records'>,
  hidden: HiddenRecords,
  audits: Audits,
  undoDays: number,
) {
  /** Disjoint conditions that together match everything the deletion names. */
  async function conditions(owner: string, about: Criteria): Promise<RecordCondition[]> {
    const there = await hidden.visible(owner);
    const whole = { ...deletionDefaults(), ...about };
    if (whole.kind !== 'selection') return [{ ...there, ...meaning(whole) }];
    return [...inSlices(whole.ids, slice)].map((ids) => ({ ...there, _id: { $in: ids } }));
  }

  return {
    async match(owner: string, about: Criteria): Promise<Matched> {
      let count = 0;
      let lastAt: Date | null = null;
      for (const condition of await conditions(owner, about)) {
        count += await records.countDocuments(condition);
        if (about.kind === 'selection') continue;
        const last = await records.findOne(condition, { createdAt: 1 }).sort({ createdAt: -1 }).lean();
        lastAt = last?.createdAt ?? null;
      }
      return { count, lastAt };
    },

    async preview(owner: string, about: Criteria) {
      const seen = { matched: 0, files: 0, conversations: new Set<string>() };
      let first: Date | null = null;
      let last: Date | null = null;
      for (const condition of await conditions(owner, about)) {
        const found: Group[] = await records.aggregate([{ $match: condition }, group]);
        for (const { _id, matched, files, firstAt, lastAt } of found) {
          seen.matched += matched;
          seen.files += files;
          seen.conversations.add(_id.toHexString());
          if (!first || firstAt < first) first = firstAt;
          if (!last || lastAt > last) last = lastAt;
        }
      }
      return {
        matched: seen.matched,
        conversations: seen.conversations.size,
        files: seen.files,
        firstAt: first?.toISOString() ?? null,
        lastAt: last?.toISOString() ?? null,
      };
    },

    /** Inserts the deletion atomically: everything that it names is hidden when this resolves. */
    async decide(owner: string, { by, ...about }: Criteria, { count, lastAt }: Matched) {
      const now = databaseDate();
      const underWay =
        about.kind === 'selection'
          ? []
          : await deletions.find({ owner, state: 'erasing' }, { _id: 1 }).lean();
      const deletion: DeletionDocument = {
        ...deletionDefaults(),
        _id: new Types.ObjectId(),
        owner,
        undoToken: randomBytes(24).toString('base64url'),
        state: 'erasing',
        ...about,
        upTo: about.kind === 'contact' || about.kind === 'date' ? lastAt : null,
        except: underWay.map(({ _id }) => _id),
        matched: count,
        createdAt: now,
        undoUntil: new Date(now.getTime() + undoDays * day),
        contactHash: audits.hash('contact', by?.contact ?? about.contactId ?? null),
        textHash: audits.hash('text', by?.text ?? null),
      };
      await deletions.create(deletion);
      return deletion;
    },
  };
}

interface Group {
  _id: Types.ObjectId;
  matched: number;
  files: number;
  firstAt: Date;
  lastAt: Date;
}

const group = {
  $group: {
    _id: '$conversationId',
    matched: { $sum: 1 },
    files: { $sum: { $size: '$files' } },
    firstAt: { $min: '$createdAt' },
    lastAt: { $max: '$createdAt' },
  },
} as const;
