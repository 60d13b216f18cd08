import type { Token, Tokens } from 'marked';
import { decodeEntities } from './decode-entities.ts';
import { createRichText, type Look, look, type RichText, type RichTextBuilder } from './rich-text.ts';

/** How deep marks may lie in each other; what is deeper is shown as its source. */
const maxDepth = 24;

/**
 * Inline Markdown as a text with looks. Addresses of links are written out behind their words unless they are the words; a picture is
 * named. What is not known here is shown as its source.
 *
 * @param base The look of what has none of its own.
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

/** What a token without others in it is written as; null for the rest. */
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

/** Citations are coloured, and strong marks that CommonMark leaves alone beside Chinese punctuation are taken all the same. */
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
