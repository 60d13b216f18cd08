import { type Line, wide } from './pdf-lines.ts';

interface Body {
  /** Size of most of the text. */
  size: number;
  /** Sizes of headings, largest first. */
  headings: number[];
  /** Distance of base lines within a paragraph, in sizes. */
  leading: number;
}

const bullet = /^[•·●○▪■◦‣◆➢✓]\s*(?=\S)/;
const numbered =
  /^(?:\d{1,3}[.)、．](?!\d)|[（(][\d一二三四五六七八九十]{1,3}[)）]|[一二三四五六七八九十]{1,3}、)/;
const sentenceEnd = /[.!?。！？：:；;]["'”’」』）)]*$/;

/** Lines as headings, paragraphs, lists and rows. A paragraph may go on on the next page. */
export function flowLines(pages: readonly Line[][]): string {
  const body = measure(pages);
  const blocks: string[] = [];
  let block = '';
  let last: Line | null = null;
  let level = 0;
  const end = () => {
    if (block !== '') blocks.push(level > 0 ? `${'#'.repeat(level)} ${block}` : block);
    block = '';
  };
  for (const lines of pages) {
    const right = Math.max(0, ...lines.filter(({ isRow }) => !isRow).map((line) => line.right));
    let isFirst = true;
    for (const line of lines) {
      const now = levelOf(line, body);
      const goesOn = last !== null && now === level && continues(last, line, { body, right, isFirst, level });
      if (!goesOn) end();
      block = goesOn ? join(block, line, last!) : line.text.replace(bullet, '- ');
      level = now;
      last = line;
      isFirst = false;
    }
  }
  end();
  return blocks.reduce((text, part) => text + (text === '' ? '' : between(text, part)) + part, '');
}

/** Items of a list stand under each other. */
function between(text: string, part: string): string {
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return line.startsWith('- ') && part.startsWith('- ') ? '\n' : '\n\n';
}

function measure(pages: readonly Line[][]): Body {
  const sizes = new Map<number, number>();
  const leadings = new Map<number, number>();
  for (const lines of pages) {
    for (const [index, line] of lines.entries()) {
      const size = rounded(line.size);
      sizes.set(size, (sizes.get(size) ?? 0) + line.text.length);
      const before = lines[index - 1];
      const leading = before ? Math.round(((line.y - before.y) / line.size) * 10) / 10 : 0;
      if (leading > 0.9 && leading < 2.5) leadings.set(leading, (leadings.get(leading) ?? 0) + 1);
    }
  }
  const size = mostOf(sizes) ?? 10;
  const headings = [...sizes.keys()].filter((one) => one >= size * 1.14).sort((a, b) => b - a);
  // Many sizes are a poster or a form, not an outline.
  return { size, headings: headings.length > 8 ? [] : headings, leading: mostOf(leadings) ?? 1.3 };
}

function mostOf(counts: ReadonlyMap<number, number>): number | undefined {
  return [...counts].reduce<[number, number] | undefined>(
    (most, one) => (most === undefined || one[1] > most[1] ? one : most),
    undefined,
  )?.[0];
}

function rounded(size: number): number {
  return Math.round(size * 2) / 2;
}

/** 0 for what is no heading. */
function levelOf(line: Line, { headings }: Body): number {
  if (line.isRow || line.text.length > 120 || /[。；;，,]$/.test(line.text)) return 0;
  if (!/[\p{L}]/u.test(line.text)) return 0;
  return Math.min(headings.indexOf(rounded(line.size)) + 1, 4);
}

function continues(
  last: Line,
  line: Line,
  { body, right, isFirst, level }: { body: Body; right: number; isFirst: boolean; level: number },
): boolean {
  if (last.isRow || line.isRow) return last.isRow && line.isRow && !isFirst;
  if (bullet.test(line.text) || numbered.test(line.text)) return false;
  if (rounded(last.size) !== rounded(line.size)) return Math.abs(last.y - line.y) < body.size * 0.5;
  if (isFirst) return level === 0 && !sentenceEnd.test(last.text);
  const leading = (line.y - last.y) / line.size;
  if (leading > Math.max(body.leading * 1.25, level > 0 ? 1.8 : 0) || leading < -0.5) return false;
  if (level > 0) return true;
  // A line that ends early ends its paragraph; one that is set in begins one.
  const isFull = last.right > right - line.size * (wide.test(last.text) ? 2.5 : 8);
  const isSetIn = line.x - last.x > line.size * 0.9 && !bullet.test(last.text) && !numbered.test(last.text);
  return isFull && !(isSetIn && sentenceEnd.test(last.text));
}

function join(block: string, line: Line, last: Line): string {
  if (last.isRow && line.isRow) return `${block}\n${line.text}`;
  const end = block.at(-1)!;
  const start = line.text[0]!;
  if (/\p{Ll}[-\u2010\u00ad]$/u.test(block) && /\p{Ll}/u.test(start)) return block.slice(0, -1) + line.text;
  if (wide.test(end) || wide.test(start)) return block + line.text;
  return `${block} ${line.text}`;
}
