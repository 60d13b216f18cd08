import { decodeHTMLStrict } from 'entities/decode';
import { Marked, type MarkedToken, type Token, type Tokens } from 'marked';
import { breakLines } from './break-lines.ts';
import { baselineOf, type Piece, type Setting, setSpace, setText } from './flow.ts';
import {
  createRichText,
  type Look,
  look,
  page,
  type RichText,
  type RichTextBuilder,
  type,
} from './rich-text.ts';

const marked = new Marked({ gfm: true, breaks: true });
/** Maximum nesting of blocks; deeper ones are shown as source text. */
const maxDepth = 12;
/** Minimum text width in points: deeper blocks are not indented further. */
const minWidth = 160;
const step = 16;

/** Lays out the blocks of a Markdown text with spacing. */
export function setMarkdown(text: string, setting: Setting): Piece[] {
  return setBlocks(lex(text), setting, 0);
}

/** Input that the lexer cannot handle (for example nested beyond its stack) is treated as plain text. */
function lex(text: string): Token[] {
  try {
    return [...marked.lexer(boundMarkdown(text))];
  } catch {
    return [{ type: 'text', raw: text, text, escaped: false }];
  }
}

function setBlocks(tokens: readonly Token[], setting: Setting, depth: number): Piece[] {
  const pieces: Piece[] = [];
  for (const token of tokens) {
    const block = setBlock(token, setting, depth);
    if (block.length === 0) continue;
    if (pieces.length > 0) pieces.push(setSpace(token.type === 'heading' ? 9 : 5, setting, false));
    for (const piece of block) pieces.push(piece);
  }
  return pieces;
}

function setBlock(token: Token, setting: Setting, depth: number): Piece[] {
  const plain = (source: string) => setText(unformatted(source, setting), setting, type.body);
  if (depth > maxDepth) return plain(token.raw.trimEnd());
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'paragraph':
    case 'text':
      return token.tokens
        ? setText(setInline(token.tokens, setting.clean, look('ink')), setting, type.body)
        : plain(token.raw);
    case 'heading': {
      const rich = setInline(token.tokens, setting.clean, look('ink', { isBold: true }));
      return setText(rich, setting, token.depth <= 2 ? type.heading : type.body, true);
    }
    case 'hr':
      return [ruler(setting)];
    case 'blockquote':
      return setBlocks(token.tokens ?? [], quoted(setting), depth + 1);
    case 'code':
      return setCode(token.text, setting);
    case 'list':
      return setList(token as Tokens.List, setting, depth);
    case 'table':
      return setTable(token as Tokens.Table, setting) ?? setCode(token.raw.trimEnd(), setting);
    default:
      return plain(token.raw.trimEnd());
  }
}

function unformatted(text: string, { clean }: Setting): RichText {
  return setInline([{ type: 'escape', raw: text, text }], clean, look('ink'));
}

function ruler({ canvas, indent, width, backdrops }: Setting): Piece {
  return {
    height: 9,
    draw(y) {
      for (const backdrop of backdrops) backdrop(y, 9);
      canvas.rect(page.left + indent, y + 4, width, 0.6, 'line2');
    },
  };
}

function indented(setting: Setting, by: number): Setting {
  if (setting.width - by < minWidth) return setting;
  return { ...setting, indent: setting.indent + by, width: setting.width - by };
}

function quoted(setting: Setting): Setting {
  const x = page.left + setting.indent + 2;
  const bar = (y: number, height: number) => setting.canvas.rect(x, y, 1.6, height, 'line2');
  return { ...indented(setting, 14), backdrops: [...setting.backdrops, bar] };
}

/** Lays out code on a tint; long lines are wrapped. */
function setCode(text: string, setting: Setting): Piece[] {
  const { canvas, indent, width } = setting;
  const tint = (y: number, height: number) =>
    canvas.rect(page.left + indent, y, width, height + 0.3, 'sheet3');
  const backdrops = [...setting.backdrops, tint];
  const inner: Setting = { ...setting, indent: indent + 9, width: width - 18, backdrops };
  const edge = (isKept: boolean): Piece => ({ ...setSpace(5, inner, isKept), isSpace: false });
  const lines = setText(unformatted(text, setting), inner, type.code);
  const last = lines.slice(-1).map((line) => ({ ...line, isKept: true }));
  return [edge(true), ...lines.slice(0, -1), ...last, edge(false)];
}

function setList({ ordered, start, items, loose }: Tokens.List, setting: Setting, depth: number): Piece[] {
  const { canvas, face } = setting;
  const from = typeof start === 'number' ? start : 1;
  const bullet = depth % 2 === 0 ? '•' : '–';
  const marks = items.map(({ task, checked }, index) => {
    if (task) return checked ? '■' : '□';
    return ordered ? `${from + index}.` : bullet;
  });
  const widest = Math.max(...marks.map((mark) => (face.width(mark) * type.body.size) / 1000));
  const inner = indented(setting, Math.max(step, widest + 6));
  const pieces: Piece[] = [];
  for (const [index, item] of items.entries()) {
    const content = item.tokens.filter(({ type: kind }) => kind !== 'checkbox');
    const blocks = setBlocks(content, inner, depth + 1);
    const mark = marks[index]!;
    const right = page.left + inner.indent - 6;
    const x = ordered ? right - (face.width(mark) * type.body.size) / 1000 : page.left + setting.indent + 4;
    if (pieces.length > 0) pieces.push(setSpace(loose ? 4 : 1.5, setting, false));
    const draw = (baseline: number) => canvas.text(mark, x, baseline, type.body.size, 'ink3');
    pieces.push(...withMark(blocks, setting, draw));
  }
  return pieces;
}

/** The blocks of a list item, with its marker next to the first line. */
function withMark(blocks: Piece[], setting: Setting, mark: (baseline: number) => void): Piece[] {
  const [first = { height: type.body.leading, draw: () => undefined }, ...rest] = blocks;
  const draw = (y: number) => {
    if (blocks.length === 0) for (const backdrop of setting.backdrops) backdrop(y, first.height);
    mark(y + baselineOf(type.body));
    first.draw?.(y);
  };
  return [{ ...first, draw }, ...rest];
}

const padX = 5;
const padY = 3;
/** Minimum column width in points; with many columns it is two characters. */
const minColumnWidth = 36;
const minCellWidth = 2 * padX + 2 * type.table.size;
/** Rows of up to this many lines are never split across pages. */
const shortRow = 12;

/** Long rows continue on the next page below the header. null if there are more columns than fit. */
function setTable({ header, rows, align }: Tokens.Table, setting: Setting): Piece[] | null {
  const { clean } = setting;
  if (header.length * minCellWidth > setting.width) return null;
  const head = header.map((cell) => setInline(cell.tokens, clean, look('ink', { isBold: true })));
  const body = rows.map((row) => row.map((cell) => setInline(cell.tokens, clean, look('ink'))));
  const widths = columnWidths([head, ...body], setting);
  const shape = { widths, align, setting };
  const headPieces = setRow(head, { ...shape, isHead: true });
  const pieces = [...headPieces];
  for (const row of body)
    for (const piece of setRow(row, { ...shape, isHead: false })) pieces.push({ ...piece, head: headPieces });
  return pieces;
}

/** Widths according to the content; if the total is too large, the widest columns are reduced first. */
function columnWidths(rows: RichText[][], { face, width }: Setting): number[] {
  const count = rows[0]?.length ?? 0;
  const natural = Array.from({ length: count }, (_, column) => {
    let widest = 0;
    for (const row of rows) {
      for (const line of (row[column]?.text ?? '').split('\n')) widest = Math.max(widest, face.width(line));
    }
    return Math.max(16, (widest * type.table.size) / 1000 + 1) + 2 * padX;
  });
  const total = natural.reduce((sum, one) => sum + one, 0);
  if (total <= width) return natural;
  const minimum = Math.min(minColumnWidth, width / count);
  let low = minimum;
  let high = width;
  // Finds the maximum column width with which all columns fit.
  for (let round = 0; round < 30; round += 1) {
    const middle = (low + high) / 2;
    if (natural.reduce((sum, one) => sum + Math.min(one, middle), 0) > width) high = middle;
    else low = middle;
  }
  const fair = natural.map((one) => Math.min(one, low));
  const rest = width - fair.reduce((sum, one) => sum + one, 0);
  return fair.map((one) => one + rest / count);
}

interface RowShape {
  widths: number[];
  align: Tokens.Table['align'];
  setting: Setting;
  isHead: boolean;
}

/** One piece per line of the highest cell; the first and the last include the padding. */
function setRow(row: RichText[], { widths, align, setting, isHead }: RowShape): Piece[] {
  const { canvas, face, indent, backdrops } = setting;
  const cells = row.map((rich, column) => {
    const room = ((widths[column] ?? 0) - 2 * padX) * 1000;
    return { rich, lines: breakLines(rich.text, room / type.table.size, face.advance) };
  });
  const count = Math.max(1, ...cells.map(({ lines }) => lines.length));
  const total = widths.reduce((sum, one) => sum + one, 0);
  const left = page.left + indent;
  return Array.from({ length: count }, (_, index) => {
    const isFirst = index === 0;
    const isLast = index === count - 1;
    const height = type.table.leading + (isFirst ? padY : 0) + (isLast ? padY : 0);
    return {
      height,
      isKept: isHead || (!isLast && count <= shortRow),
      draw(y) {
        for (const backdrop of backdrops) backdrop(y, height);
        if (isHead) canvas.rect(left, y, total, height, 'sheet2');
        if (isHead && isFirst) canvas.rect(left, y, total, 0.6, 'line2');
        let x = left;
        for (const [column, { rich, lines }] of cells.entries()) {
          const width = widths[column]!;
          const line = lines[index];
          if (line) {
            const taken = (face.width(rich.text.slice(line.start, line.end)) * type.table.size) / 1000;
            const free = width - 2 * padX - taken;
            const shift = align[column] === 'right' ? free : align[column] === 'center' ? free / 2 : 0;
            const baseline = y + (isFirst ? padY : 0) + baselineOf(type.table);
            canvas.line(rich, line, x + padX + shift, baseline, type.table.size);
          }
          canvas.rect(x, y, 0.6, height, 'line2');
          x += width;
        }
        canvas.rect(x, y, 0.6, height, 'line2');
        if (isLast) canvas.rect(left, y + height - 0.6, total + 0.6, 0.6, 'line2');
      },
    };
  });
}

/** Maximum nesting of quotes and lists that the lexer has to handle (the layout stops at `maxDepth`). */
const maxNesting = 24;
/** Maximum indentation of a line in columns: lists nest by indentation. */
const maxIndent = 96;
/** Maximum number of table columns; a page has room for fewer. */
const maxColumns = 40;

const nested = new RegExp(
  String.raw`^((?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){${maxNesting}})(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)]))+`,
  'gm',
);
const deeplyIndented = new RegExp(String.raw`^([ \t]{${maxIndent}})[ \t]+`, 'gm');
const wideDelimiter = new RegExp(String.raw`^([\t >]*)(?=\|?(?:[ \t]*:?-+:?[ \t]*\|){${maxColumns}})`, 'gm');

/**
 * Limits nesting and table widths of a Markdown text so that lexing takes time and memory proportional to its
 * length. The lexer reads nested content once per level, and pads every table row to the number of header
 * columns.
 */
export function boundMarkdown(text: string): string {
  return text.replace(nested, '$1').replace(deeplyIndented, '$1').replace(wideDelimiter, '$1\\');
}

/** Maximum nesting of inline marks; deeper ones are shown as source text. */
const maxMarks = 24;

/**
 * Converts inline Markdown to styled text. URLs of links are written after their text unless identical;
 * images are named. Unknown tokens are shown as source text.
 * @param base The default style.
 */
function setInline(tokens: readonly Token[] | undefined, clean: (text: string) => string, base: Look) {
  const builder = createRichText(clean);
  for (const token of tokens ?? []) addToken(token, builder, base, 0);
  return builder.build();
}

function addToken(token: Token, to: RichTextBuilder, current: Look, depth: number) {
  const each = (inner: Look) => {
    for (const child of childrenOf(token) ?? []) addToken(child, to, inner, depth + 1);
  };
  const { ink, isBold, isTinted } = current;
  const known = token as MarkedToken;
  if (depth > maxMarks) return to.add(token.raw, current);
  switch (known.type) {
    case 'text':
      return childrenOf(token) ? each(current) : addText(decodeHTMLStrict(known.text), to, current);
    case 'strong':
      return each(look(ink, { isBold: true, isTinted }));
    case 'em':
      return each(current);
    case 'codespan':
      return to.add(decodeHTMLStrict(known.text), look(ink, { isBold, isTinted: true }));
    case 'link':
      return addLink(known, to, current, each);
    case 'escape':
      return to.add(known.text, current);
    case 'br':
      return to.add('\n', current);
    case 'image':
      return to.add(`[${decodeHTMLStrict(known.text) || known.href}]`, current);
    case 'checkbox':
      return to.add(known.checked ? '■ ' : '□ ', current);
    case 'html':
      return to.add(/^<br\s*\/?>$/i.test(token.raw) ? '\n' : token.raw, current);
    default:
      to.add(token.raw, current);
  }
}

function childrenOf(token: Token): Token[] | undefined {
  return 'tokens' in token ? token.tokens : undefined;
}

/** Colours citations. Also strong marks next to Chinese punctuation, which CommonMark ignores. */
function addText(text: string, to: RichTextBuilder, current: Look): void {
  for (const part of text.split(/(\[\d{1,3}\]|\*\*[^*\n]+\*\*)/)) {
    const strong = /^\*\*([^*\n]+)\*\*$/.exec(part)?.[1];
    if (strong !== undefined) to.add(strong, look(current.ink, { isBold: true }));
    else to.add(part, /^\[\d{1,3}\]$/.test(part) ? look('accent') : current);
  }
}

function addLink(token: Tokens.Link, to: RichTextBuilder, current: Look, each: (inner: Look) => void): void {
  each(look('accent', { isBold: current.isBold }));
  const address = decodeHTMLStrict(token.href);
  const isWritten =
    token.text === token.href || address === `mailto:${token.text}` || address.endsWith(`://${token.text}`);
  if (!isWritten && address !== '') to.add(` (${address})`, look('ink3'));
}
