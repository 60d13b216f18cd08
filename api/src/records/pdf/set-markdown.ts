import { Marked, type Token, type Tokens } from 'marked';
import { boundMarkdown } from './bound-markdown.ts';
import { baselineOf, type Piece, type Setting, setSpace, setText } from './flow.ts';
import { look, page, type RichText, type } from './rich-text.ts';
import { setInline } from './set-inline.ts';
import { setTable } from './set-table.ts';

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
  const inner: Setting = {
    ...setting,
    indent: indent + 9,
    width: width - 18,
    backdrops: [...setting.backdrops, tint],
  };
  const edge = (isKept: boolean): Piece => ({ ...setSpace(5, inner, isKept), isSpace: false });
  const lines = setText(unformatted(text, setting), inner, type.code);
  return [
    edge(true),
    ...lines.slice(0, -1),
    ...lines.slice(-1).map((line) => ({ ...line, isKept: true })),
    edge(false),
  ];
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
    pieces.push(
      ...withMark(blocks, setting, (baseline) => canvas.text(mark, x, baseline, type.body.size, 'ink3')),
    );
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
