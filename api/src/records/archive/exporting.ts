import { Types } from 'mongoose';
import { Temporal } from 'temporal-polyfill';
import type { AccountModels } from '../../accounts/account-models.ts';
import { userOwner } from '../../accounts/guests.ts';
import type { Sessions } from '../../accounts/sessions.ts';
import { markDoubts, shownCitations } from '../../answers/extract/mark-doubts.ts';
import type { SessionInfo } from '../../contract/accounts.ts';
import type { RecordArchive } from '../../contract/archives.ts';
import type { BinEntry } from '../../contract/deletions.ts';
import type { Handover } from '../../contract/handover.ts';
import type { Language } from '../../contract/language.ts';
import type { Contact } from '../../contract/records.ts';
import { createSay, type Say, textsOf } from '../../i18n/texts-of.ts';
import { pages } from '../../store/cursor.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { inSlices } from '../../store/in-slices.ts';
import { createYielder } from '../../store/yield-to-event-loop.ts';
import { csvLine } from '../../text/csv-line.ts';
import { dayOf } from '../../text/day-range.ts';
import { withNotes } from '../contact-book/contact-notes.ts';
import type { Contacts } from '../contacts.ts';
import { toConversation } from '../conversation.ts';
import type { Conversations } from '../conversations.ts';
import { toBinEntry } from '../deletion/bin.ts';
import type { HiddenRecords } from '../hidden-records.ts';
import { type RecordDocument, toDeskRecord } from '../record.ts';
import type { RecordHandovers } from '../record-handovers.ts';
import type { RecordModels } from '../record-models.ts';
import type { MatchingRecords } from '../search/matching-records.ts';
import { labelOf } from '../search/record-terms.ts';
import { createReadSelected, type Selection } from './exported-records.ts';

/** A file download whose content is produced on demand. */
export interface Download {
  /** File name without a folder, in the visitor's language. */
  name: string;
  type: string;
  pieces: AsyncIterable<string>;
}

/** GET /admin/export: everything, and the other data of the account, without tokens or secrets. */
interface AccountArchive extends RecordArchive {
  account: { username: string; createdAt: string };
  sessions: Omit<SessionInfo, 'current'>[];
  /** With the owner's note, if there is one. */
  contacts: (Contact & { note?: string })[];
  /** All visible requests for a person, with their messages. An import ignores them. */
  handovers: Handover[];
  /** Entries of the bin, without their text and without the tokens that could restore them. */
  deletions: Omit<BinEntry, 'undoToken' | 'title'>[];
}

/** Items per read. */
const slice = 100;
const json = 'application/json; charset=utf-8';

export type Exporting = ReturnType<typeof createExporting>;

export function createExporting(deps: {
  models: RecordModels & Pick<AccountModels, 'users'>;
  matching: Pick<MatchingRecords, 'each'>;
  hidden: HiddenRecords;
  conversations: Pick<Conversations, 'all'>;
  contacts: Pick<Contacts, 'list'>;
  sessions: Pick<Sessions, 'list'>;
  handovers: Pick<RecordHandovers, 'all'>;
}) {
  const { models, matching, hidden, conversations, contacts, sessions, handovers } = deps;
  const readSelected = createReadSelected({ records: models.records, matching, hidden });

  const allConversations = (owner: string) =>
    pages(async (page) => {
      const { conversations: some, nextCursor } = await conversations.all(owner, page);
      return { page: some, nextCursor };
    });
  const allContacts = (owner: string) =>
    pages(async (page) => {
      const { contacts: some, nextCursor } = await contacts.list(owner, '', page);
      return { page: await withNotes(models, owner, some), nextCursor };
    });

  /** The conversations in `ids`, which is complete when it is read. */
  async function* theseConversations(owner: string, ids: ReadonlySet<string>) {
    const all = [...ids].map((id) => new Types.ObjectId(id));
    for (const some of inSlices(all, slice)) {
      const found = await models.conversations.find({ _id: { $in: some }, owner, erasedBy: null }).lean();
      yield found.map(toConversation);
    }
  }

  async function* bin(owner: string): AsyncGenerator<AccountArchive['deletions']> {
    const found = await models.deletions
      .find({ owner, state: { $in: ['erasing', 'erased'] }, undoUntil: { $gt: databaseDate() } })
      .sort({ createdAt: -1, _id: -1 })
      .lean();
    const entries = found.map((deletion) => toBinEntry(deletion, ''));
    yield entries.map(({ undoToken: _undoToken, title: _title, ...entry }) => entry);
  }

  async function* devices(userId: Types.ObjectId): AsyncGenerator<AccountArchive['sessions']> {
    const all = await sessions.list(userId, userId);
    yield all.map(({ current: _current, ...session }) => session);
  }

  return {
    /** @throws notFound('record') if an id is not one of the owner's, and what a search throws for a filter. */
    async records(
      owner: string,
      language: Language,
      { ids, filter, format }: Selection & { format: 'json' | 'csv' },
    ): Promise<Download> {
      const records = await startReading(readSelected(owner, { ids, filter }));
      const tz = filter?.tz ?? 'UTC';
      const name = fileName(textsOf('file-names')('records')(language), tz, format);
      if (format === 'csv')
        return { name, type: 'text/csv; charset=utf-8', pieces: writeCsv(records, tz, language) };
      // An export of everything reads conversations by page, so their ids need not be remembered.
      const isAll = filter !== undefined && Object.keys(filter).every((key) => key === 'tz');
      const of = new Set<string>();
      const pieces = writeArchive({
        records: shown(records, ({ conversationId }) => {
          if (!isAll) of.add(conversationId.toHexString());
        }),
        conversations: isAll ? allConversations(owner) : theseConversations(owner, of),
      });
      return { name, type: json, pieces };
    },

    async account(userId: Types.ObjectId, language: Language): Promise<Download> {
      const owner = userOwner(userId);
      const user = await models.users.findById(userId, { username: 1, createdAt: 1 }).lean();
      const account = { username: user?.username ?? '', createdAt: user?.createdAt.toISOString() ?? '' };
      const lists = {
        sessions: devices(userId),
        contacts: allContacts(owner),
        handovers: handovers.all(owner),
        deletions: bin(owner),
        records: shown(await startReading(readSelected(owner, {}))),
        conversations: allConversations(owner),
      };
      const pieces = writeArchive(lists, account);
      const name = fileName(textsOf('file-names')('account')(language), 'UTC', 'json');
      return { name, type: json, pieces };
    },
  };
}

function fileName(what: string, tz: string, format: string): string {
  return `${what}-${dayOf(databaseDate(), tz)}.${format}`;
}

/** The same slices, with the first one read: an invalid filter is reported before anything is sent. */
async function startReading<T>(slices: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const reading = slices[Symbol.asyncIterator]();
  const first = await reading.next();
  async function* whole() {
    if (!first.done) yield first.value;
    yield* { [Symbol.asyncIterator]: () => reading };
  }
  return whole();
}

/**
 * Writes an archive as a stream, with each item of its lists on a line of its own. Conversations follow their
 * records, so that neither writer nor reader has to hold one list for the other.
 */
async function* writeArchive(
  lists: Partial<Record<keyof AccountArchive, AsyncIterable<readonly object[]>>>,
  account?: AccountArchive['account'],
): AsyncGenerator<string> {
  const header = {
    format: 'consultation-desk-records',
    version: 1,
    exportedAt: databaseDate().toISOString(),
    ...(account && { account }),
  } satisfies Omit<RecordArchive, 'records' | 'conversations'>;
  yield JSON.stringify(header).slice(0, -1);
  for (const [key, list] of Object.entries(lists)) yield* writeList(key, list);
  yield '\n}\n';
}

/** As their owner sees them. `onRecord` is called for each record before its slice is written. */
async function* shown(
  records: AsyncIterable<RecordDocument[]>,
  onRecord: (record: RecordDocument) => void = () => undefined,
) {
  for await (const some of records) {
    some.forEach(onRecord);
    yield some.map(toDeskRecord);
  }
}

async function* writeList(key: string, list: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(key)}:[`;
  let comma = '';
  for await (const some of list) {
    let text = '';
    for (const one of some) {
      text += `${comma}\n${JSON.stringify(one)}`;
      comma = ',';
    }
    yield text;
  }
  yield '\n]';
}

const byteOrderMark = '\u{feff}';

type Column = (record: RecordDocument, tz: string, say: Say<'csv'>) => string;

const columns = {
  askedAt: ({ createdAt }, tz) => clock(createdAt, tz),
  contact: ({ contact }) => contact?.id ?? '',
  name: ({ contact }) => contact?.name ?? '',
  question: ({ question }) => question,
  answer: ({ answer, doubts }, _tz, say) => markDoubts(answer, doubts, say('noSupport')),
  source: (record, _tz, say) => say(`source_${labelOf(record)}`),
  citations: citationsOf,
  status: ({ status }, _tz, say) => say(`status_${status}`),
  rating: ({ feedback }, _tz, say) => (feedback ? say(feedback.rating === 1 ? 'helpful' : 'unhelpful') : ''),
  note: ({ feedback }) => feedback?.note ?? '',
  answeredAt: ({ answeredAt }, tz) => (answeredAt ? clock(answeredAt, tz) : ''),
  answerNow: ({ answeredSince }) => answeredSince?.answer ?? '',
  version: ({ versionOf }) => String(versionOf?.number ?? 1),
  record: ({ _id }) => _id.toHexString(),
  conversation: ({ conversationId }) => conversationId.toHexString(),
} satisfies Record<string, Column>;
const headings = Object.keys(columns) as (keyof typeof columns)[];

/**
 * Writes records as CSV that spreadsheets read correctly: byte order mark, every field quoted, CRLF. Dates
 * are in `tz`, headings and words in `language`.
 */
export async function* writeCsv(records: AsyncIterable<RecordDocument[]>, tz: string, language: Language) {
  const yieldToEventLoop = createYielder();
  const say = createSay('csv', language);
  const values: Column[] = Object.values(columns);
  yield byteOrderMark + csvLine(headings.map((key) => say(`column_${key}`, { tz })));
  for await (const some of records) {
    let text = '';
    for (const record of some) {
      text += csvLine(values.map((column) => column(record, tz, say)));
      await yieldToEventLoop();
    }
    yield text;
  }
}

function citationsOf(record: RecordDocument): string {
  return shownCitations(record)
    .map(({ n, title, quote }) => `[${n}] ${title}: ${quote}`)
    .join('\n');
}

function clock(instant: Date, tz: string): string {
  const time = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(tz);
  return time.toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ');
}
