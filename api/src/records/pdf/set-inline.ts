import { decodeHTMLStrict } from 'entities/decode';
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
      else addText(decodeHTMLStrict((token as Tokens.Text).text), to, current);
      break;
    case 'strong':
      each(look(current.ink, { isBold: true, isTinted: current.isTinted }));
      break;
    case 'codespan':
      to.add(
        decodeHTMLStrict((token as Tokens.Codespan).text),
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
      return `[${decodeHTMLStrict((token as Tokens.Image).text) || (token as Tokens.Image).href}]`;
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
