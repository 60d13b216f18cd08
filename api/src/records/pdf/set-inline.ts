import { decodeHTMLStrict } from 'entities/decode';
import type { MarkedToken, Token, Tokens } from 'marked';
import { createRichText, type Look, look, type RichTextBuilder } from './rich-text.ts';

/** Maximum nesting of inline marks; deeper ones are shown as source text. */
const maxDepth = 24;

/**
 * Converts inline Markdown to styled text. URLs of links are written after their text unless identical;
 * images are named. Unknown tokens are shown as source text.
 * @param base The default style.
 */
export function setInline(tokens: readonly Token[] | undefined, clean: (text: string) => string, base: Look) {
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
  if (depth > maxDepth) return to.add(token.raw, current);
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
