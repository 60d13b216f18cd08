import type { ImportReply, RecordArchive } from 'api/contract/archives';
import type { ContactSearch } from 'api/contract/contacts';
import type { BinEntry } from 'api/contract/deletions';
import type { Contact, DeskRecord } from 'api/contract/records';
import type { FoundRecord, Highlight, RecordFilter, SearchPage, SearchRequest } from 'api/contract/search';
import { type Answer, type Call, failure } from 'host/stand-ins';
import { dayOfLocal } from 'host/ui/local-day.ts';
import { answererOf } from '../lib/answerer-mark.tsx';

export interface RecordServer {
  /** The current records, newest first; a test may change them like another device. */
  records: DeskRecord[];
  bin: (BinEntry & { records: DeskRecord[] })[];
  /** Answers the calls of /history like the API; 404 for others. */
  answer: Answer;
}

interface Erasure {
  ids?: string[];
  filter?: RecordFilter;
  contact?: string;
  date?: string;
  from?: string;
  to?: string;
  dryRun?: boolean;
}

/** Differs from the default, so that tests fail if a text contains the default. */
export const UNDO_DAYS = 5;

/**
 * The API of /history with records in memory: exact text search, cursors, deletion with counts, undo, bin, export and import, ratings,
 * contacts. Days are in the browser's time zone.
 */
export function createRecordServer(start: DeskRecord[], now: () => Date = () => new Date()): RecordServer {
  const server: RecordServer = { records: start, bin: [], answer };
  let lastToken = 0;

  function answer(call: Call): unknown {
    const { method, url, params } = call;
    const body = (call.body ?? {}) as never;
    const named = `${method} ${url}`;
    const answers: Record<string, () => unknown> = {
      'POST /api/search': () => search(body),
      'POST /api/contacts/search': () => ({
        contacts: contacts((body as ContactSearch).q ?? ''),
        nextCursor: null,
      }),
      'POST /api/delete_by_ids': () => erase('selection', body),
      'POST /api/delete_by_contact': () => erase('contact', body),
      'POST /api/delete_by_date': () => erase('date', body),
      'POST /api/undo_delete': () => undo(body),
      'POST /api/purge': () => ({ purged: taken(body).records.length }),
      'GET /api/bin': () => ({ ...page(server.bin, params, 'deletions'), undoDays: UNDO_DAYS }),
      'POST /api/feedback': () => rate(body),
      'POST /api/export': () => exported(body),
      'POST /api/import': () => imported(body),
      'POST /api/preview_pdf': () => new Blob(['%PDF-1.7'], { type: 'application/pdf' }),
      'POST /api/generate_pdf': () => new Blob(['%PDF-1.7'], { type: 'application/pdf' }),
      'GET /api/passages/p-1': () => ({
        documentId: 'd-1',
        title: '退款政策',
        text: '退款，自受理之日起 3 至 5 个工作日内汇出。',
        start: 107,
        end: 130,
        place: '4.2 节',
      }),
      'GET /api/documents/d-1': () => ({
        title: '退款政策',
        name: '退款政策.pdf',
        type: 'pdf',
        hasFile: true,
      }),
      'GET /api/documents/d-1/text': () => ({
        start: 0,
        end: 130,
        text: `${'前文。'.repeat(35)}\n\n退款，自受理之日起 3 至 5 个工作日内汇出。`,
        length: 130,
        places: [{ start: 0, page: 2 }],
      }),
    };
    if (answers[named]) return answers[named]();
    const id = /^GET \/api\/records\/(.+)$/.exec(named)?.[1];
    const record = id && server.records.find((one) => one.id === decodeURIComponent(id));
    if (record) return record;
    throw failure(404, 'not_found', '没有这条记录');
  }

  function search({ cursor, limit = 20, ...filter }: SearchRequest): SearchPage {
    const found = matching(filter);
    const from = cursor ? found.findIndex(({ id }) => id === cursor) + 1 : 0;
    const records = found
      .slice(from, from + limit)
      .map((record) => withHighlights(record, filter.text ?? ''));
    const hasMore = from + limit < found.length;
    return {
      records,
      total: Math.min(found.length, 10_000),
      totalIsMore: found.length > 10_000,
      nextCursor: hasMore ? (records.at(-1)?.id ?? null) : null,
    };
  }

  function matching({ text = '', contact, from, to, source, feedback }: RecordFilter): DeskRecord[] {
    const words = wordsOf(text);
    const person = contact ? resolved(contact) : contact;
    return server.records.filter((record) => {
      const day = dayOfLocal(new Date(record.createdAt));
      const rating = { '1': 'up', '-1': 'down', '0': 'none' }[String(record.feedback?.rating ?? 0)];
      return (
        words.every((word) => record.question.includes(word) || record.answer.includes(word)) &&
        (person === undefined || (record.contact?.id ?? '') === person) &&
        (!from || day >= from) &&
        (!to || day <= to) &&
        (!source || answererOf(record) === source) &&
        (!feedback || rating === feedback)
      );
    });
  }

  /** Resolves an id to itself, and a name to the only contact that has it. */
  function resolved(contact: string): string {
    const all = contacts('');
    if (all.some(({ id }) => id === contact)) return contact;
    const choices = all.filter(({ name }) => name === contact);
    if (choices.length > 1)
      throw Object.assign(failure(409, 'ambiguous_contact', '有几位联系人叫这个名字'), { choices });
    return choices[0]?.id ?? contact;
  }

  function contacts(query: string): Contact[] {
    const all = new Map(
      server.records.flatMap(({ contact }) => (contact ? [[contact.id, contact] as const] : [])),
    );
    return [...all.values()].filter(({ id, name }) => id.includes(query) || name.includes(query));
  }

  function erase(kind: BinEntry['kind'], { ids, filter, contact, date, dryRun, ...days }: Erasure) {
    const from = date ?? days.from ?? '';
    const to = date ?? days.to ?? '';
    const gone = ids
      ? server.records.filter(({ id }) => ids.includes(id))
      : matching(filter ?? { ...(contact !== undefined && { contact }), from, to });
    const matched = gone.length;
    if (dryRun || matched === 0)
      return {
        matched,
        deleted: 0,
        undoToken: null,
        undoUntil: null,
        undoDays: UNDO_DAYS,
        preview: {
          conversations: new Set(gone.map(({ conversationId }) => conversationId)).size,
          files: gone.flatMap(({ files }) => files).length,
          firstAt: gone.at(-1)?.createdAt ?? null,
          lastAt: gone[0]?.createdAt ?? null,
        },
      };
    lastToken += 1;
    const undoToken = `undo-${lastToken}`;
    const createdAt = now().toISOString();
    const undoUntil = new Date(now().valueOf() + UNDO_DAYS * 86_400_000).toISOString();
    const person = contact ? (gone[0]?.contact ?? null) : null;
    server.bin.unshift({
      undoToken,
      kind,
      title: '',
      contact: person,
      from,
      to,
      tz: '',
      matched,
      createdAt,
      undoUntil,
      records: gone,
    });
    server.records = server.records.filter((record) => !gone.includes(record));
    return { matched, deleted: matched, undoToken, undoUntil, undoDays: UNDO_DAYS };
  }

  function taken({ undoToken }: { undoToken: string }) {
    const entry = server.bin.find((one) => one.undoToken === undoToken);
    if (!entry) throw failure(409, 'undo_used', '这次删除已经撤销过了');
    server.bin = server.bin.filter((one) => one !== entry);
    return entry;
  }

  function undo(body: { undoToken: string }) {
    const { records } = taken(body);
    put(records);
    return { restored: records.length };
  }

  function put(records: DeskRecord[]) {
    server.records = [...server.records, ...records].sort((one, other) =>
      one.createdAt === other.createdAt
        ? one.id < other.id
          ? 1
          : -1
        : one.createdAt < other.createdAt
          ? 1
          : -1,
    );
  }

  function rate({ recordId, rating, note }: { recordId: string; rating: 1 | -1 | 0; note?: string }) {
    server.records = server.records.map((record) => {
      if (record.id !== recordId) return record;
      const kept = record.feedback?.rating === rating ? record.feedback.note : '';
      return { ...record, feedback: rating === 0 ? null : { rating, note: note ?? kept } };
    });
    return { recordId, rating };
  }

  function exported({ ids, filter = {}, format }: { ids?: string[]; filter?: RecordFilter; format: string }) {
    const records = ids ? server.records.filter(({ id }) => ids.includes(id)) : matching(filter);
    if (format === 'csv') return new Blob(['\ufeff', ...records.map(({ question }) => `${question}\r\n`)]);
    const archive: RecordArchive = {
      format: 'consultation-desk-records',
      version: 1,
      exportedAt: now().toISOString(),
      conversations: [],
      records,
    };
    return new Blob([JSON.stringify(archive)]);
  }

  function imported({ records }: RecordArchive): ImportReply {
    if (records.length > 500) throw failure(413, 'too_large', '一次最多 500 条');
    const known = new Set(server.records.map(({ id }) => id));
    const fresh = records.filter(({ id }) => !known.has(id));
    put(fresh);
    return { imported: fresh.length, unchanged: records.length - fresh.length, renamed: 0 };
  }

  return server;
}

function page<T>(all: T[], params: Call['params'], name: string) {
  const limit = Number(params.limit ?? 20);
  const from = Number(params.cursor ?? 0);
  const next = from + limit;
  return { [name]: all.slice(from, next), nextCursor: next < all.length ? String(next) : null };
}

function wordsOf(text: string): string[] {
  return text.split(/[\s“”"]+/).filter(Boolean);
}

function withHighlights(record: DeskRecord, text: string): FoundRecord {
  const highlights = (['question', 'answer'] as const).flatMap((field) =>
    wordsOf(text)
      .flatMap((word): Highlight[] => {
        const parts = record[field].split(word).slice(0, -1);
        let end = 0;
        return parts.map((part) => {
          const start = end + part.length;
          end = start + word.length;
          return { field, start, end };
        });
      })
      .sort((one, other) => one.start - other.start),
  );
  return { ...record, highlights };
}
