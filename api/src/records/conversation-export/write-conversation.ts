import type { Handover } from '../../contract/handover.ts';
import type { Language } from '../../contract/language.ts';
import type { Contact } from '../../contract/records.ts';
import type { SeenRecord } from '../archive/exported-records.ts';
import { createLocalTime } from '../pdf/local-time.ts';
import { neutralMarkdown } from './neutral-markdown.ts';

const texts = {
  zh: {
    exported: (at: string) => `导出于 ${at}`,
    oneself: '本人',
    question: '问题',
    answer: '回答',
    noAnswer: '（没有回答）',
    statuses: { answering: '正在回答', stopped: '已停止', failed: '回答中断' },
    citations: '引用',
    quoted: (quote: string) => `：「${quote}」`,
    files: '附件',
    separator: '、',
    version: (number: number) => `第 ${number} 版`,
    answeredSince: '现在有答案了',
    person: '人工咨询',
    visitor: '访客',
  },
  en: {
    exported: (at: string) => `Exported ${at}`,
    oneself: 'Myself',
    question: 'Question',
    answer: 'Answer',
    noAnswer: '(no answer)',
    statuses: { answering: 'Answering', stopped: 'Stopped', failed: 'Interrupted' },
    citations: 'Sources',
    quoted: (quote: string) => `: “${quote}”`,
    files: 'Attachments',
    separator: ', ',
    version: (number: number) => `Version ${number}`,
    answeredSince: 'Answered since',
    person: 'Asked a person',
    visitor: 'Visitor',
  },
} satisfies Record<Language, object>;

/**
 * Writes a conversation as Markdown, record by record. Questions are quoted as plain text; headings of answers are
 * moved below those of the document.
 */
export async function* writeConversation(
  {
    title,
    language,
    tz,
    people,
  }: { title: string; language: Language; tz: string; people: readonly Handover[] },
  slices: AsyncIterable<readonly SeenRecord[]>,
): AsyncGenerator<string> {
  const t = texts[language];
  const time = createLocalTime(tz, language);
  const at = (instant: Date) => {
    const { day, time: clock } = time.of(instant.toISOString());
    return `${day} ${clock}`;
  };
  yield `# ${plain(title)}\n\n${t.exported(at(new Date()))} (${tz})\n`;
  let number = 0;
  for await (const some of slices) {
    for (const record of some) {
      number += 1;
      yield `\n${writeRecord(record, number)}`;
    }
  }
  for (const handover of people) yield `\n${writeHandover(handover)}`;

  function writeHandover({ question, createdAt, messages }: Handover): string {
    const parts = [`## ${t.person} · ${at(new Date(createdAt))}`, quoted(question)];
    for (const { from, name, text, createdAt: sentAt } of messages)
      parts.push(`**${from === 'agent' ? plain(name) : t.visitor}** · ${at(new Date(sentAt))}`, quoted(text));
    return `${parts.join('\n\n')}\n`;
  }

  function writeRecord(record: SeenRecord, position: number): string {
    const {
      contact,
      status,
      question,
      answer,
      citations,
      files = [],
      answeredSince,
      createdAt,
      versionOf,
    } = record;
    const facts = [
      at(createdAt),
      contactOf(contact),
      ...(versionOf ? [t.version(versionOf.number)] : []),
      ...(status === 'done' ? [] : [t.statuses[status]]),
    ];
    const parts = [
      `## ${position}. ${facts.join(' · ')}`,
      `**${t.question}**`,
      quoted(question),
      ...(files.length > 0 ? [`${t.files}: ${files.map(({ name }) => plain(name)).join(t.separator)}`] : []),
      `**${t.answer}**`,
      answer === '' ? t.noAnswer : belowHeadings(neutralMarkdown(answer)),
      ...(citations.length > 0 ? [`**${t.citations}**`, citations.map(citation).join('\n')] : []),
      ...(answeredSince
        ? [`**${t.answeredSince}**`, belowHeadings(neutralMarkdown(answeredSince.answer))]
        : []),
    ];
    return `${parts.join('\n\n')}\n`;
  }

  function citation({ title: of, quote }: { title: string; quote: string }, index: number): string {
    return `- \\[${index + 1}\\] ${plain(of)}${quote === '' ? '' : t.quoted(plain(quote))}`;
  }

  function contactOf(contact: Contact | null): string {
    if (!contact) return t.oneself;
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
