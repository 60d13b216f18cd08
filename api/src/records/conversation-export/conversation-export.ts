import type { Types } from 'mongoose';
import { markDoubts, shownCitations } from '../../answers/extract/mark-doubts.ts';
import type { Citation } from '../../contract/answers.ts';
import type { Handover } from '../../contract/handover.ts';
import type { Language } from '../../contract/language.ts';
import type { Contact } from '../../contract/records.ts';
import { notFound } from '../../errors/errors.ts';
import { createSay, listOf } from '../../i18n/texts-of.ts';
import { pages, readPage } from '../../store/cursor.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { citedPlace } from '../cited-place.ts';
import type { ConversationSummaries } from '../conversation-summaries.ts';
import type { HiddenRecords } from '../hidden-records.ts';
import { createLocalTime } from '../pdf/local-time.ts';
import type { Reports } from '../pdf/reports.ts';
import type { RecordDocument } from '../record.ts';
import type { RecordHandovers } from '../record-handovers.ts';
import type { RecordModels } from '../record-models.ts';
import { neutralMarkdown } from './neutral-markdown.ts';

/** How a conversation is written: language of the labels, IANA time zone of days and times. */
export interface Wanted {
  language: Language;
  tz: string;
}

/** A conversation as a file, oldest record first, then its messages with people. Both methods throw notFound('conversation') if the id is not one of the owner's. */
export function createConversationExport(deps: {
  models: Pick<RecordModels, 'records'>;
  hidden: HiddenRecords;
  summaries: Pick<ConversationSummaries, 'get' | 'adjustToVisible'>;
  reports: Pick<Reports, 'ofConversation'>;
  handovers: Pick<RecordHandovers, 'ofConversation'>;
}) {
  const { hidden, summaries, reports, handovers } = deps;
  const { records } = deps.models;

  async function conversationOf(owner: string, id: string) {
    const notHidden = await hidden.notHidden(owner);
    const found = await summaries.get(owner, id, notHidden);
    const [shown] = await summaries.adjustToVisible(owner, [found], notHidden);
    if (!shown) throw notFound('conversation');
    return shown;
  }

  async function* read(owner: string, conversationId: Types.ObjectId): AsyncGenerator<RecordDocument[]> {
    const all = pages(async (request) => {
      const condition = { conversationId, ...(await hidden.visible(owner)) };
      return readPage(records, { createdAt: 1, _id: 1 }, 'export', request, condition);
    });
    for await (const some of all) yield await hidden.shownTo(owner, some);
  }

  return {
    /** Read and written on demand: only one slice of records is in memory. */
    async markdown(owner: string, id: string, wanted: Wanted) {
      const { _id, title } = await conversationOf(owner, id);
      const people = await handovers.ofConversation(owner, _id);
      return { title, pieces: writeConversation({ ...wanted, title, people }, read(owner, _id)) };
    },

    /** @throws what `Reports.make` throws. */
    async pdf(owner: string, id: string, wanted: Wanted, options: { caller: string; signal: AbortSignal }) {
      const { _id, title } = await conversationOf(owner, id);
      const people = await handovers.ofConversation(owner, _id);
      return reports.ofConversation(owner, { ...wanted, title, people }, read(owner, _id), options);
    },
  };
}

/** Record by record. Questions are quoted as text; headings of answers move below the document's. */
async function* writeConversation(
  { title, language, tz, people }: Wanted & { title: string; people: readonly Handover[] },
  slices: AsyncIterable<readonly RecordDocument[]>,
): AsyncGenerator<string> {
  const say = createSay('conversation', language);
  const time = createLocalTime(tz, language);
  const at = (instant: Date) => {
    const { day, time: clock } = time.of(instant.toISOString());
    return `${day} ${clock}`;
  };
  yield `# ${plain(title)}\n\n${say('exported', { at: at(databaseDate()) })} (${tz})\n`;
  let number = 0;
  for await (const some of slices) {
    for (const record of some) {
      number += 1;
      yield `\n${writeRecord(record, number)}`;
    }
  }
  for (const handover of people) yield `\n${writeHandover(handover)}`;

  function writeHandover({ question, createdAt, messages }: Handover): string {
    const parts = [`## ${say('person')} · ${at(new Date(createdAt))}`, quoted(question)];
    for (const { from, name, text, createdAt: sentAt } of messages) {
      const who = from === 'agent' ? plain(name) : say('visitor');
      parts.push(`**${who}** · ${at(new Date(sentAt))}`, quoted(text));
    }
    return `${parts.join('\n\n')}\n`;
  }

  function writeRecord(record: RecordDocument, position: number): string {
    const { status, question, answer, doubts, files = [], answeredSince, versionOf } = record;
    const citations = shownCitations(record);
    const facts = [
      at(record.createdAt),
      contactOf(record.contact),
      ...(versionOf ? [say('version', { number: versionOf.number })] : []),
      ...(status === 'done' ? [] : [say(`status_${status}`)]),
    ];
    const parts = [
      `## ${position}. ${facts.join(' · ')}`,
      `**${say('question')}**`,
      quoted(question),
      ...(files.length > 0
        ? [`${say('files')}: ${listOf(files.map(({ name }) => plain(name)))(language)}`]
        : []),
      `**${say('answer')}**`,
      answer === ''
        ? say('noAnswer')
        : belowHeadings(neutralMarkdown(markDoubts(answer, doubts, say('noSupport')))),
      ...(citations.length > 0 ? [`**${say('citations')}**`, citations.map(citation).join('\n')] : []),
      ...(answeredSince
        ? [`**${say('answeredSince')}**`, belowHeadings(neutralMarkdown(answeredSince.answer))]
        : []),
    ];
    return `${parts.join('\n\n')}\n`;
  }

  function citation({ n, quote, ...of }: Citation & { n: number }): string {
    const place = citedPlace(of);
    const source = place ? say('where', { title: of.title, place }) : of.title;
    return `- \\[${n}\\] ${plain(source)}${quote === '' ? '' : say('quoted', { quote: plain(quote) })}`;
  }

  function contactOf(contact: Contact | null): string {
    if (!contact) return say('oneself');
    const { id, name } = contact;
    return plain(name && name !== id ? `${name} ${id}` : id);
  }
}

/** One line of text without any formatting. */
function plain(text: string): string {
  return escaped(text.replaceAll(/\s+/g, ' ').trim());
}

function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>#|~]/g, '\\$&');
}

/** Lines of plain text as a quotation that keeps its line breaks. */
function quoted(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `> ${escaped(line)}`.trimEnd())
    .join('  \n');
}

/** Moves headings two levels down, except in code. */
function belowHeadings(markdown: string): string {
  let fence = '';
  return markdown
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (mark && (fence === '' || (mark[0] === fence[0] && mark.length >= fence.length)))
        fence = fence === '' ? mark : '';
      if (fence !== '' || mark) return line;
      return line.replace(
        /^( {0,3})(#{1,6})(?=\s|$)/,
        (_, indent: string, level: string) => `${indent}${'#'.repeat(Math.min(6, level.length + 2))}`,
      );
    })
    .join('\n');
}
