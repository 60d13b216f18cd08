import type { Model, PipelineStage } from 'mongoose';
import { outcomeOf } from '../../answers/judgement.ts';
import type { AnswerSource, Outcome } from '../../contract/answers.ts';
import type { DeskOverview } from '../../contract/overview.ts';
import { databaseDate, databaseNow } from '../../store/database-clock.ts';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, field, list, part, required, withDefault } from '../../store/fields.ts';
import { dayOf, dayRange } from '../../text/day-range.ts';
import type { RecordModel } from '../record.ts';

const count = withDefault(0);
const quarter = part({
  at: field(Date),
  answered: count,
  related: count,
  nothing: count,
  person: count,
  up: count,
  down: count,
});

const fields = {
  /** YYYY-MM-DD */
  _id: required(String),
  /** By the start of each quarter of an hour with questions: in every time zone, days start at one. */
  quarters: list(quarter),
  countedAt: required(Date),
};

/** Counts of all visitors' questions on a day of UTC, without any text. */
type DeskDay = DocumentOf<typeof fields>;

export const deskDayModel = defineModel<DeskDay>('DeskDay', 'desk_days', fields);

type DeskDayModel = Model<DeskDay>;

const dayMs = 86_400_000;
/** Number of days that are counted in advance. */
const keptDays = 92;
/** Latest days that are counted again: their answers are still rated, taken over by people, and deleted. */
const openDays = 8;
/** Age from which counts of today and yesterday are renewed when they are read, in ms. */
const freshMs = 60_000;

/**
 * Milliseconds since the beginning of the quarter of an hour, counted from the first date. Without `$dateTrunc`,
 * which the Stable API of MongoDB 5.0 lacks.
 */
const sinceQuarter = { $mod: [{ $subtract: ['$createdAt', new Date(-8.64e15)] }, 900_000] };

const grouping: PipelineStage = {
  $group: {
    _id: {
      at: { $subtract: ['$createdAt', sinceQuarter] },
      source: '$source',
      outcome: '$outcome',
      isByPerson: '$answeredByPerson',
      rating: '$feedback.rating',
    },
    count: { $sum: 1 },
  },
};

/** Questions of one quarter of an hour with equal answers, see `grouping`. */
interface Group {
  _id: {
    at: Date;
    source: AnswerSource;
    outcome?: Outcome | null;
    isByPerson?: boolean | null;
    rating?: number | null;
  };
  count: number;
}

export type DeskDays = ReturnType<typeof createDeskDays>;

/** Counts of all visitors' questions by day, stored apart from the records so that an overview reads few documents. */
export function createDeskDays(records: RecordModel, deskDays: DeskDayModel) {
  /** The day `back` days ago. */
  const dayBack = (back: number) => new Date(databaseNow() - back * dayMs).toISOString().slice(0, 10);

  async function countDay(day: string): Promise<void> {
    const { since, until } = dayRange(day, day, 'UTC');
    const groups = await records.aggregate<Group>([
      { $match: { createdAt: { $gte: since, $lt: until }, erasedBy: null } },
      grouping,
    ]);
    const quarters = new Map<number, DeskDay['quarters'][number]>();
    for (const { _id, count: more } of groups) {
      const time = _id.at.getTime();
      const counts = quarters.get(time) ?? { at: _id.at, ...noCounts() };
      counts[_id.isByPerson ? 'person' : outcomeOf(_id)] += more;
      if (_id.rating) counts[_id.rating === 1 ? 'up' : 'down'] += more;
      quarters.set(time, counts);
    }
    const counted = { quarters: [...quarters.values()], countedAt: databaseDate() };
    await deskDays.updateOne({ _id: day }, { $set: counted }, { upsert: true });
  }

  /** The counts of today and yesterday, which a visitor's time zone may call today. */
  async function refresh(): Promise<void> {
    const fresh = {
      _id: { $in: [dayBack(0), dayBack(1)] },
      countedAt: { $gt: new Date(databaseNow() - freshMs) },
    };
    const known = new Set((await deskDays.find(fresh, { _id: 1 }).lean()).map(({ _id }) => _id));
    for (const day of [dayBack(0), dayBack(1)]) if (!known.has(day)) await countDay(day);
  }

  return {
    /** Counts the days before yesterday that are missing, and the latest ones again, and removes old ones. */
    async sweep(signal: AbortSignal): Promise<void> {
      const known = new Set((await deskDays.find({}, { _id: 1 }).lean()).map(({ _id }) => _id));
      const oldest = await records.findOne({}, { createdAt: 1 }).sort({ createdAt: 1 }).lean();
      // Days before the first question need no counts.
      const first = dayOf(oldest?.createdAt ?? databaseDate(), 'UTC');
      for (let back = 2; back < keptDays && !signal.aborted; back += 1) {
        const day = dayBack(back);
        if (known.has(day) ? back < openDays : day >= first) await countDay(day);
      }
      await deskDays.deleteMany({ _id: { $lt: dayBack(keptDays) } });
    },

    /** Counts of the latest `days` days of the time zone. */
    async read(days: number, tz: string): Promise<Omit<DeskOverview, 'mostCited' | 'topUnanswered'>> {
      await refresh();
      const to = dayOf(databaseDate(), tz);
      const from = dayBefore(to, days - 1);
      const range = dayRange(from, to, tz);
      const [since, until] = [range.since!, range.until!];
      const first = dayOf(since, 'UTC');
      const last = dayOf(new Date(until.getTime() - 1), 'UTC');
      const found = await deskDays.find({ _id: { $gte: first, $lte: last } }).lean();
      const sum = noCounts();
      const byDay = new Map<string, number>();
      for (const { at, ...counts } of found.flatMap(({ quarters }) => quarters)) {
        if (at < since || at >= until) continue;
        for (const kind of kinds) sum[kind] += counts[kind];
        const { answered, related, nothing, person } = counts;
        const day = dayOf(at, tz);
        byDay.set(day, (byDay.get(day) ?? 0) + answered + related + nothing + person);
      }
      const { up, down, ...byOutcome } = sum;
      return {
        from,
        to,
        total: Object.values(byOutcome).reduce((all, some) => all + some, 0),
        byDay: [...byDay]
          .map(([day, some]) => ({ day, count: some }))
          .sort((one, other) => (one.day < other.day ? -1 : 1)),
        byOutcome,
        satisfaction: { up, down },
      };
    },
  };
}

function noCounts() {
  return { answered: 0, related: 0, nothing: 0, person: 0, up: 0, down: 0 };
}
const kinds = Object.keys(noCounts()) as (keyof ReturnType<typeof noCounts>)[];

function dayBefore(day: string, back: number): string {
  return new Date(Date.parse(day) - back * dayMs).toISOString().slice(0, 10);
}
