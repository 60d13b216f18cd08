import { Temporal } from 'temporal-polyfill';
import { markDoubts, shownCitations } from '../../answers/extract/mark-doubts.ts';
import type { Language } from '../../contract/language.ts';
import { createSay, type Say } from '../../i18n/texts-of.ts';
import { createYielder } from '../../store/yield-to-event-loop.ts';
import { csvLine } from '../../text/csv-line.ts';
import type { RecordDocument } from '../record.ts';
import { labelOf } from '../search/record-terms.ts';

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
export async function* writeCsv(
  records: AsyncIterable<RecordDocument[]>,
  tz: string,
  language: Language,
): AsyncGenerator<string> {
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
