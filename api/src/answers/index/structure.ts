import { sectionNumber } from '../../text/section-number.ts';

/** A span of a text, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** A list item with its mark. Its content begins at `contentStart`. */
export interface Item extends Span {
  contentStart: number;
}

export type Block =
  /** Level 7: a question of a list of questions and answers, as 问：几点开门？ Its content begins after its mark. */
  | (Span & { kind: 'heading'; level: number; contentStart: number })
  /** A clause begins with its number, as 第六条 or 2.1. */
  | (Span & { kind: 'paragraph'; sentences: Span[]; isClause: boolean })
  | (Span & { kind: 'list'; ordered: boolean; items: Item[] })
  /** `head` is the header row; null without one, as when the text begins within the table. */
  | (Span & { kind: 'table'; head: Span | null; rows: Span[] })
  | (Span & { kind: 'code' });

interface Line extends Span {
  text: string;
}

const headingMark = /^(#{1,6})[ \t]+(?=\S)/;
const itemMark = /^[ \t]*(?:[-*+•]|(\d{1,3})[.)、])[ \t]+(?=\S)/;
const questionMark = /^[ \t]*(?:\*\*)?(?:问题?|Q(?:uestion)?)\s*\d{0,3}\s*[:：.．、]\s*(?:\*\*)?(?=\S)/i;
const answerMark = /^[ \t]*(?:\*\*)?(?:答案?|A(?:nswer)?)\s*\d{0,3}\s*[:：.．、]/i;
const fence = /^[ \t]*(`{3,}|~{3,})/;
const tableRule = /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$/;

/** Parses light Markdown: headings, paragraphs, lists, tables, fenced code. Plain text is paragraphs. */
export const structureOf = (text: string): Block[] => [...eachBlock(text)];

/** The same as a generator. */
export function* eachBlock(text: string): Generator<Block> {
  const lines = linesOf(text);
  for (let at = 0; at < lines.length; ) {
    if (lines[at]!.text.trim() === '') {
      at += 1;
      continue;
    }
    const block = blockAt(text, lines, at);
    yield block;
    while (at < lines.length && lines[at]!.start < block.end) at += 1;
  }
}

/** The sentences, items or rows of a block; the block itself without any. */
export function leavesOf(block: Block): readonly Span[] {
  if (block.kind === 'paragraph') return block.sentences;
  if (block.kind === 'list') return block.items;
  return block.kind === 'table' && block.rows.length > 0 ? block.rows : [block];
}

/** Maximum mean number of sentences of a step, its number included. */
const maxSentencesOfStep = 3;

/** Whether the items of a list are clauses, as in terms or minutes: more is said in them than in steps. */
export function areClauses(text: string, list: Span & { items: readonly Item[] }): boolean {
  return sentencesIn(text, list).length > maxSentencesOfStep * list.items.length;
}

/** The cells of a row. */
export function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

/** Filters the sentences, items or rows of a block. Returns one block for each contiguous run. */
export function filterLeaves(block: Block, isIncluded: (leaf: Span) => boolean): Block[] {
  const leaves = leavesOf(block);
  const runs: Span[][] = [[]];
  for (const leaf of leaves) {
    if (isIncluded(leaf)) runs.at(-1)!.push(leaf);
    else runs.push([]);
  }
  if (runs.length === 1) return [block];
  return runs.flatMap((run): Block[] => {
    if (run.length === 0) return [];
    const span = { start: run[0]!.start, end: run.at(-1)!.end };
    if (block.kind === 'list') return [{ ...block, ...span, items: run as Item[] }];
    if (block.kind === 'paragraph') return [{ ...block, ...span, sentences: run }];
    return block.kind === 'table' ? [{ ...block, ...span, rows: run }] : [];
  });
}

function blockAt(text: string, lines: readonly Line[], at: number): Block {
  const line = lines[at]!;
  const heading = headingMark.exec(line.text);
  if (heading) {
    const { start, end } = line;
    const [{ length }, mark] = heading;
    return { kind: 'heading', level: mark!.length, start, end, contentStart: start + length };
  }
  const question = questionMark.exec(line.text);
  if (question && isQuestion(lines, at)) {
    const { start, end } = line;
    return { kind: 'heading', level: 7, start, end, contentStart: start + question[0].length };
  }
  if (fence.test(line.text)) return codeAt(lines, at);
  if (line.text.trimStart().startsWith('|')) return tableAt(lines, at);
  if (itemMark.test(line.text)) return listAt(lines, at);
  return paragraphAt(text, lines, at);
}

/** Whether a line with the mark of a question is one: it ends like one, or its answer follows. */
function isQuestion(lines: readonly Line[], at: number): boolean {
  const next = lines.slice(at + 1, at + 3).find(({ text }) => text.trim() !== '');
  return /[?？](?:\*\*)?\s*$/.test(lines[at]!.text) || answerMark.test(next?.text ?? '');
}

function codeAt(lines: readonly Line[], at: number): Block {
  const mark = fence.exec(lines[at]!.text)![1]!;
  let last = at + 1;
  while (last < lines.length && !lines[last]!.text.trimStart().startsWith(mark)) last += 1;
  const end = lines[Math.min(last, lines.length - 1)]!.end;
  return { kind: 'code', start: lines[at]!.start, end };
}

function tableAt(lines: readonly Line[], at: number): Block {
  let last = at;
  while (last + 1 < lines.length && lines[last + 1]!.text.trimStart().startsWith('|')) last += 1;
  const all = lines.slice(at, last + 1);
  const hasHead = all[1] !== undefined && tableRule.test(all[1].text);
  const rows = all.slice(hasHead ? 2 : 0).map(({ start, end }) => ({ start, end }));
  const head = hasHead ? { start: all[0]!.start, end: all[0]!.end } : null;
  return { kind: 'table', start: all[0]!.start, end: all.at(-1)!.end, head, rows };
}

function listAt(lines: readonly Line[], at: number): Block {
  const items: Item[] = [];
  let next = at;
  while (next < lines.length) {
    const line = lines[next]!;
    const mark = itemMark.exec(line.text);
    if (mark) items.push({ start: line.start, end: line.end, contentStart: line.start + mark[0].length });
    else if (/^[ \t]+\S/.test(line.text)) items.at(-1)!.end = line.end;
    else break;
    next += 1;
  }
  const ordered = itemMark.exec(lines[at]!.text)![1] !== undefined;
  return { kind: 'list', start: items[0]!.start, end: items.at(-1)!.end, ordered, items };
}

function paragraphAt(text: string, lines: readonly Line[], at: number): Block {
  let last = at;
  while (last + 1 < lines.length && continuesParagraph(lines[last + 1]!, lines[last]!)) last += 1;
  const span = { start: lines[at]!.start, end: lines[last]!.end };
  const isClause = sectionNumber.test(lines[at]!.text.trimStart());
  return { kind: 'paragraph', ...span, sentences: sentencesIn(text, span), isClause };
}

/** A wrapped line may begin with a decimal; a clause begins after the end of a sentence. */
const sentenceEnded = /[.!?。！？：:；;]["'”’」』）)]*\s*$/;

function continuesParagraph(line: Line, before: Line): boolean {
  const isOther =
    [headingMark, itemMark, fence, questionMark].some((mark) => mark.test(line.text)) ||
    (sectionNumber.test(line.text.trimStart()) && sentenceEnded.test(before.text));
  return line.text.trim() !== '' && !isOther && !line.text.trimStart().startsWith('|');
}

const sentenceEnd = /[。！？…]+[」』”’）】]*|[.!?]+["'”’)]*(?=\s|$)|；|\n/gu;
const abbreviation = /(?:\b(?:e\.g|i\.e|etc|vs|No|Mr|Mrs|Ms|Dr|cf|approx|Fig|St)|\b[A-Z])\.$/;

/** The beginning of a line that continues a sentence of a hard-wrapped paragraph. */
const wrapped = /^[ \t]*\p{Ll}/u;

/** The sentences of a span of prose, trimmed. Sentences of more than 400 units are split at commas. */
export function sentencesIn(text: string, span: Span): Span[] {
  const prose = text.slice(span.start, span.end);
  const sentences: Span[] = [];
  let from = 0;
  for (const mark of prose.matchAll(sentenceEnd)) {
    const after = mark.index + mark[0].length;
    // The end of bold text that begins in the sentence belongs to it.
    const to = after + (prose.startsWith('**', after) && isOdd(prose.slice(from, after)) ? 2 : 0);
    if (abbreviation.test(prose.slice(from, to)) && to < prose.length) continue;
    if (mark[0] === '\n' && wrapped.test(prose.slice(to, to + 20))) continue;
    pushTrimmed(sentences, text, span.start + from, span.start + to);
    from = to;
  }
  pushTrimmed(sentences, text, span.start + from, span.end);
  return sentences.flatMap((sentence) => cutLong(text, sentence));
}

/** Whether a text contains an odd number of `**`, so that bold text does not end in it. */
const isOdd = (text: string) => text.split('**').length % 2 === 0;

const maxSentenceLength = 400;

function cutLong(text: string, span: Span): Span[] {
  const parts: Span[] = [];
  let { start } = span;
  while (span.end - start > maxSentenceLength) {
    const window = text.slice(start, start + maxSentenceLength);
    const comma = Math.max(...['，', '、', ', ', ' '].map((mark) => window.lastIndexOf(mark)));
    const cut =
      start + (comma > maxSentenceLength / 4 ? comma + 1 : window.replace(/[\ud800-\udbff]$/, '').length);
    pushTrimmed(parts, text, start, cut);
    start = cut;
  }
  pushTrimmed(parts, text, start, span.end);
  return parts;
}

function pushTrimmed(spans: Span[], text: string, start: number, end: number): void {
  const whole = text.slice(start, end);
  const trimmed = whole.trim();
  if (trimmed === '') return;
  const from = start + (whole.length - whole.trimStart().length);
  spans.push({ start: from, end: from + trimmed.length });
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    lines.push({ text: line, start, end: start + line.length });
    start += line.length + 1;
  }
  return lines;
}
