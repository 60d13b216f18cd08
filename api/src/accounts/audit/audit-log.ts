import { createHash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { Types } from 'mongoose';
import type { Logger } from 'pino';
import {
  AuditArea,
  type AuditCheck,
  AuditEntry,
  type AuditEvent,
  type AuditFilter,
  type AuditPage,
  AuditParty,
  type AuditSearch,
  auditEvents,
} from '../../contract/audit.ts';
import { readPage } from '../../store/cursor.ts';
import { databaseDate, databaseNow } from '../../store/database-clock.ts';
import { defineModel } from '../../store/define-model.ts';
import { describeAs } from '../../store/describe-as.ts';
import { type DocumentOf, list, nullable, required, withDefault } from '../../store/fields.ts';
import { slicesById } from '../../store/in-slices.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import { csvLine } from '../../text/csv-line.ts';
import { dayRange } from '../../text/day-range.ts';
import type { UserModel } from '../account-models.ts';
import { nameKeyOf } from '../account-rules.ts';

/** Parties are `user:<id>`, `guest:<id>`, `token:<name>` or `thing:<ids>`. */
const fields = {
  /** Its number. Processes that write at the same time compete for it, so that none is missing or used twice. */
  _id: required(Number),
  at: required(Date),
  event: required<AuditEvent>(String),
  /** Derived from `event`, for the index. */
  area: required<AuditArea>(String),
  call: nullable(String),
  by: nullable(String),
  subject: nullable(String),
  /** `by` and `subject`, as far as they are accounts, for the index. */
  people: list(String),
  ip: nullable(String),
  /** The hash of the entry before it; '' for the first. */
  previous: withDefault(''),
  hash: required(String),
};

export type AuditDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<AuditDocument>('AuditEntry', 'audit', fields);
schema.index({ at: 1 });
schema.index({ area: 1, _id: -1 });
schema.index({ people: 1, _id: -1 });

export const createAuditModel = create;
export type AuditModel = ReturnType<typeof create>;

/** An entry as a line of JSON, for copies elsewhere. */
export function auditLine({ previous: _previous, people: _people, ...shown }: AuditDocument): string {
  return `${JSON.stringify(shown)}\n`;
}

/** Entries that are read at once to verify or export all. */
const sliceSize = 1000;
const dayMs = 86_400_000;

type Facts = Pick<AuditDocument, 'event' | 'call' | 'by' | 'subject' | 'ip'>;

export type AuditLog = ReturnType<typeof createAuditLog>;

/** Records who did what. Entries form a chain of hashes, which shows whether one was changed or removed later. */
export function createAuditLog(
  { audit, users }: { audit: AuditModel; users: UserModel },
  config: { auditFile: string; auditDays: number },
  log: Pick<Logger, 'error'>,
) {
  let writing: Promise<unknown> = Promise.resolve();

  async function append(facts: Facts): Promise<AuditDocument> {
    for (;;) {
      const last = await audit.findOne().sort({ _id: -1 }).lean();
      const entry = chained(last, facts);
      // Another process may have taken the number meanwhile.
      if (await unlessDuplicate(audit.create(entry))) return entry;
    }
  }

  async function write(facts: Facts): Promise<void> {
    try {
      const entry = await append(facts);
      if (config.auditFile) await appendFile(config.auditFile, auditLine(entry), { mode: 0o600 });
    } catch (cause) {
      log.error({ err: cause, ...facts }, 'an entry of the audit log could not be written');
    }
  }

  /** The condition for a filter. null: nothing fits. */
  async function matching({ area, username, from, to, tz }: AuditFilter) {
    const user = username ? await users.findOne({ nameKey: nameKeyOf(username) }, { _id: 1 }).lean() : null;
    if (username && !user) return null;
    const { since, until } = dayRange(from, to, tz);
    // Numbers rise with time, so that a range of days is a range of numbers.
    const firstFrom = (at: Date | null) =>
      at && audit.findOne({ at: { $gte: at } }, null, { sort: { at: 1 } }).lean();
    const [first, end] = await Promise.all([firstFrom(since), firstFrom(until)]);
    if (since && !first) return null;
    return {
      ...(area && { area }),
      ...(user && { people: `user:${user._id.toHexString()}` }),
      _id: { $gte: first?._id ?? 1, ...(end && { $lt: end._id }) },
    };
  }

  async function toEntries(found: readonly AuditDocument[]): Promise<AuditEntry[]> {
    const parties = new Set(found.flatMap(({ people }) => people));
    const ids = [...parties].map((party) => new Types.ObjectId(party.slice('user:'.length)));
    const known = await users.find({ _id: { $in: ids }, deletedAt: null }, { username: 1 }).lean();
    const names = new Map(known.map(({ _id, username }) => [`user:${_id.toHexString()}`, username]));
    const toParty = (party: string | null): AuditParty | null => {
      if (party === null) return null;
      const [kind] = party.split(':', 1);
      const id = party.slice(kind!.length + 1);
      return { kind: AuditParty.shape.kind.parse(kind), id, name: names.get(party) ?? null };
    };
    return found.map(({ by, subject, ...entry }) =>
      describeAs(AuditEntry, { ...entry, number: entry._id, by: toParty(by), subject: toParty(subject) }),
    );
  }

  const auditLog = {
    /** Resolves when the entry is stored. A failure is only logged, since the event has already happened. */
    add(facts: Facts): Promise<void> {
      const written = writing.then(() => write(facts));
      writing = written;
      return written;
    },

    /** @throws invalidRequest('cursor') */
    async search({ limit, cursor, ...filter }: AuditSearch): Promise<Omit<AuditPage, 'stream'>> {
      const list = JSON.stringify(['audit', filter]);
      const condition = await matching(filter);
      if (!condition) return { entries: [], nextCursor: null };
      const { page, nextCursor } = await readPage(audit, { _id: -1 }, list, { limit, cursor }, condition);
      return { entries: await toEntries(page), nextCursor };
    },

    async verify(): Promise<AuditCheck> {
      let entries = 0;
      let before: AuditDocument | null = null;
      for await (const slice of slicesById<AuditDocument>(audit, sliceSize)) {
        for (const entry of slice) {
          const fits = before ? isNext(before, entry) : await isFirst(entry);
          if (!fits || hashOf(entry) !== entry.hash || !isFoundAs(entry))
            return { entries, last: before && shownEnd(before), brokenAt: entry._id };
          entries += 1;
          before = entry;
        }
      }
      return { entries, last: before && shownEnd(before), brokenAt: null };
    },

    /** The entries as CSV, oldest first. */
    async *csv(filter: AuditFilter): AsyncGenerator<string> {
      yield `\u{feff}${csvLine(['number', 'time', 'event', 'call', 'by', 'subject', 'address', 'hash'])}`;
      const condition = await matching(filter);
      if (!condition) return;
      for await (const slice of slicesById<AuditDocument>(audit, sliceSize, condition)) {
        const lines = (await toEntries(slice)).map(({ number, at, event, call, by, subject, ip, hash }) =>
          csvLine([String(number), at, event, call ?? '', named(by), named(subject), ip ?? '', hash]),
        );
        yield lines.join('');
      }
    },

    /** Removes entries older than AUDIT_DAYS, and records that. */
    async sweep(): Promise<void> {
      const cutoff = new Date(databaseNow() - config.auditDays * dayMs);
      const last = await audit.findOne({ at: { $lt: cutoff } }, null, { sort: { at: -1 } }).lean();
      if (!last) return;
      const subject = `thing:${last._id}`;
      await auditLog.add({ event: 'audit_shortened', call: null, by: null, subject, ip: null });
      await audit.deleteMany({ _id: { $lte: last._id } });
    },
  };

  /** Whether all entries missing before the oldest one were removed by `sweep`. */
  const isFirst = async ({ _id }: AuditDocument): Promise<boolean> => {
    const shortened = { area: 'deletions', event: 'audit_shortened', subject: `thing:${_id - 1}` } as const;
    return _id === 1 || (await audit.exists(shortened)) !== null;
  };

  return auditLog;
}

const areaOf = (event: AuditEvent): AuditArea =>
  AuditArea.options.find((area) => (auditEvents[area] as readonly string[]).includes(event))!;

function chained(last: Pick<AuditDocument, '_id' | 'hash'> | null, facts: Facts): AuditDocument {
  const entry = {
    ...facts,
    _id: (last?._id ?? 0) + 1,
    at: databaseDate(),
    area: areaOf(facts.event),
    people: peopleOf(facts),
    previous: last?.hash ?? '',
  };
  return { ...entry, hash: hashOf(entry) };
}

function hashOf({ _id, at, event, call, by, subject, ip, previous }: Omit<AuditDocument, 'hash'>): string {
  const facts = [previous, _id, at.toISOString(), event, call, by, subject, ip];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

function peopleOf({ by, subject }: Pick<Facts, 'by' | 'subject'>): string[] {
  return [...new Set([by, subject].flatMap((party) => (party?.startsWith('user:') ? [party] : [])))];
}

/** Whether the searchable fields of an entry (area, people) agree with its other fields. */
const isFoundAs = ({ event, area, people, ...entry }: AuditDocument): boolean =>
  area === areaOf(event) && people.join() === peopleOf(entry).join();

const isNext = (before: AuditDocument, { _id, previous }: AuditDocument): boolean =>
  _id === before._id + 1 && previous === before.hash;

const shownEnd = ({ _id, hash }: AuditDocument) => ({ number: _id, hash });

const named = (party: AuditParty | null): string =>
  party ? (party.name ?? `${party.kind}:${party.id}`) : '';
