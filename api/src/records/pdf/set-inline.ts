import type { Token, Tokens } from 'marked';
import { createRichText, type Look, look, type RichText, type RichTextBuilder } from './rich-text.ts';

/** Maximum nesting of inline marks; deeper ones are shown as source text. */
const maxDepth = 24;

/**
 * Converts inline Markdown to styled text. URLs of links are written after their text unless identical;
 * images are named. Unknown tokens are shown as source text.
 * @param base The default style.
 */
export function setInline(
  tokens: readonly Token[] | undefined,
  clean: (text: string) => string,
  base: Look,
): RichText {
  const builder = createRichText(clean);
  for (const token of tokens ?? []) addToken(token, builder, base, 0);
  return builder.build();
}

function addToken(token: Token, to: RichTextBuilder, current: Look, depth: number): void {
  const each = (inner: Look) => {
    for (const child of childrenOf(token) ?? []) addToken(child, to, inner, depth + 1);
  };
  const written = depth > maxDepth ? token.raw : ownText(token);
  if (written !== null) {
    to.add(written, current);
    return;
  }
  switch (token.type) {
    case 'text':
      if (childrenOf(token)) each(current);
      else addText(decodeEntities((token as Tokens.Text).text), to, current);
      break;
    case 'strong':
      each(look(current.ink, { isBold: true, isTinted: current.isTinted }));
      break;
    case 'codespan':
      to.add(
        decodeEntities((token as Tokens.Codespan).text),
        look(current.ink, { isBold: current.isBold, isTinted: true }),
      );
      break;
    case 'link':
      addLink(token as Tokens.Link, to, current, each);
      break;
    default:
      each(current);
  }
}

/** The text of a token without children; null for others. */
function ownText(token: Token): string | null {
  switch (token.type) {
    case 'text':
    case 'strong':
    case 'em':
    case 'codespan':
    case 'link':
      return null;
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'br':
      return '\n';
    case 'image':
      return `[${decodeEntities((token as Tokens.Image).text) || (token as Tokens.Image).href}]`;
    case 'checkbox':
      return (token as Tokens.Checkbox).checked ? '■ ' : '□ ';
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw) ? '\n' : token.raw;
    default:
      return token.raw;
  }
}

function childrenOf(token: Token): Token[] | undefined {
  return 'tokens' in token ? token.tokens : undefined;
}

/**
 * Colours citations, and also handles strong marks that CommonMark does not recognise next to Chinese
 * punctuation.
 */
function addText(text: string, to: RichTextBuilder, current: Look): void {
  for (const part of text.split(/(\[\d{1,3}\]|\*\*[^*\n]+\*\*)/)) {
    const strong = /^\*\*([^*\n]+)\*\*$/.exec(part)?.[1];
    if (strong !== undefined) to.add(strong, look(current.ink, { isBold: true }));
    else to.add(part, /^\[\d{1,3}\]$/.test(part) ? look('accent') : current);
  }
}

function addLink(token: Tokens.Link, to: RichTextBuilder, current: Look, each: (inner: Look) => void): void {
  each(look('accent', { isBold: current.isBold }));
  const address = decodeEntities(token.href);
  const isWritten =
    token.text === token.href || address === `mailto:${token.text}` || address.endsWith(`://${token.text}`);
  if (!isWritten && address !== '') to.add(` (${address})`, look('ink3'));
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  middot: '·',
  times: '×',
  deg: '°',
  yen: '¥',
  euro: '€',
  ldquo: '“',
  rdquo: '”',
  lsquo: '‘',
  rsquo: '’',
  larr: '←',
  rarr: '→',
};

/** Decodes the character references that Markdown leaves in its text. Unknown ones stay unchanged. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,8}));/g,
    (whole, decimal, hex, name) => {
      if (name) return named[name] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : '\ufffd';
    },
  );
}
