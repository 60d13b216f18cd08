import { stringify } from 'csv-stringify/sync';
import { Temporal } from 'temporal-polyfill';
import type { Language } from '../../contract/language.ts';
import { createYielder } from '../../store/yield-to-event-loop.ts';
import { answererOf } from '../search/record-terms.ts';
import type { SeenRecord } from './exported-records.ts';

const byteOrderMark = '\u{feff}';

/** A column: heading in both languages (`{tz}` is the time zone of dates), and its value. */
interface Column {
  zh: string;
  en: string;
  of(record: SeenRecord, tz: string, language: Language): string;
}

const sources = {
  curated: ['问答', 'Curated'],
  document: ['资料', 'Document'],
  model: ['模型', 'Model'],
  person: ['人工', 'Person'],
  none: ['未答', 'Unanswered'],
} as const;
const statuses = {
  answering: ['回答中', 'Answering'],
  done: ['完成', 'Done'],
  stopped: ['已停止', 'Stopped'],
  failed: ['失败', 'Failed'],
} as const;
const ratings = { '1': ['有帮助', 'Helpful'], '-1': ['没有帮助', 'Not helpful'] } as const;

const columns: readonly Column[] = [
  { zh: '提问时间（{tz}）', en: 'Asked ({tz})', of: ({ createdAt }, tz) => clock(createdAt, tz) },
  { zh: '联系人', en: 'Contact', of: ({ contact }) => contact?.id ?? '' },
  { zh: '姓名', en: 'Name', of: ({ contact }) => contact?.name ?? '' },
  { zh: '问题', en: 'Question', of: ({ question }) => question },
  { zh: '回答', en: 'Answer', of: ({ answer }) => answer },
  { zh: '来源', en: 'Source', of: (record, _tz, language) => word(sources[answererOf(record)], language) },
  { zh: '出处', en: 'Citations', of: citationsOf },
  { zh: '状态', en: 'Status', of: ({ status }, _tz, language) => word(statuses[status], language) },
  {
    zh: '评价',
    en: 'Rating',
    of: ({ feedback }, _tz, language) => (feedback ? word(ratings[feedback.rating], language) : ''),
  },
  { zh: '评价说明', en: 'Note', of: ({ feedback }) => feedback?.note ?? '' },
  {
    zh: '回答时间（{tz}）',
    en: 'Answered ({tz})',
    of: ({ answeredAt }, tz) => (answeredAt ? clock(answeredAt, tz) : ''),
  },
  { zh: '现在的答案', en: 'Answer now', of: ({ answeredSince }) => answeredSince?.answer ?? '' },
  { zh: '版本', en: 'Version', of: ({ versionOf }) => String(versionOf?.number ?? 1) },
  { zh: '记录编号', en: 'Record', of: ({ _id }) => _id.toHexString() },
  { zh: '会话编号', en: 'Conversation', of: ({ conversationId }) => conversationId.toHexString() },
];

/**
 * Writes records as CSV that spreadsheets read correctly: byte order mark, every field quoted, CRLF. Dates
 * are in `tz`, headings and words in `language`.
 */
export async function* writeCsv(
  records: AsyncIterable<SeenRecord[]>,
  tz: string,
  language: Language,
): AsyncGenerator<string> {
  const yieldToEventLoop = createYielder();
  yield byteOrderMark + line(columns.map((column) => column[language].replace('{tz}', tz)));
  for await (const some of records) {
    let text = '';
    for (const record of some) {
      text += line(columns.map((column) => defused(column.of(record, tz, language))));
      await yieldToEventLoop();
    }
    yield text;
  }
}

/**
 * Prevents CSV injection: a field that starts with = + - @ (also full-width), a tab or a carriage return,
 * possibly after blanks, is prefixed with an apostrophe.
 */
export function defused(field: string): string {
  const [blank = ''] = /^[\s\p{Z}\p{Cf}\p{Cc}]*/u.exec(field) ?? [];
  return /[\t\r]/.test(blank) || '=+-@＝＋－＠'.includes(field.charAt(blank.length) || ' ')
    ? `'${field}`
    : field;
}

function line(fields: string[]): string {
  return stringify([fields], { quoted: true, quoted_empty: true, record_delimiter: 'windows' });
}

function citationsOf({ citations }: SeenRecord): string {
  return citations.map(({ title, quote }, index) => `[${index + 1}] ${title}: ${quote}`).join('\n');
}

function word([zh, en]: readonly [string, string], language: Language): string {
  return language === 'en' ? en : zh;
}

function clock(instant: Date, tz: string): string {
  const time = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(tz);
  return time.toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ');
}
