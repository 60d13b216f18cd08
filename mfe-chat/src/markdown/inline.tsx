import type { Token, Tokens } from 'marked';
import type { ReactNode } from 'react';
import { decodeEntities } from './decode-entities.ts';
import { safeAddress } from './safe-address.ts';

/** How deep elements may lie in each other; what is deeper is shown as its source. */
export const MAX_DEPTH = 24;

export interface InlineContext {
  /** The mark of `[n]`, or null where there is no such source: then the characters stay. */
  citation(n: number, key: string): ReactNode;
  /** Words of the link that stands for a picture. */
  pictureLabel(text: string): string;
  depth: number;
  /** Links cannot lie in each other. */
  isInLink?: boolean;
}

/** Inline tokens as React elements. Types that are not listed here are shown as their source text. */
export function renderInline(tokens: readonly Token[] | undefined, context: InlineContext): ReactNode {
  if (!tokens) return null;
  return tokens.map((token, index) => renderToken(token, `${token.type}${index}`, context));
}

function renderToken(token: Token, key: string, context: InlineContext): ReactNode {
  if (context.depth > MAX_DEPTH) return token.raw;
  const inner = { ...context, depth: context.depth + 1 };
  switch (token.type) {
    case 'text':
      return 'tokens' in token && token.tokens
        ? renderInline(token.tokens, inner)
        : text(token as Tokens.Text, key, context);
    case 'escape':
      return token.text;
    case 'strong':
      return <strong key={key}>{renderInline(token.tokens, inner)}</strong>;
    case 'em':
      return <em key={key}>{renderInline(token.tokens, inner)}</em>;
    case 'del':
      return <del key={key}>{renderInline(token.tokens, inner)}</del>;
    case 'codespan':
      return <code key={key}>{token.text}</code>;
    case 'br':
      return <br key={key} />;
    case 'link':
      return link(token as Tokens.Link, key, inner);
    case 'image':
      return picture(token as Tokens.Image, key, context);
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw) ? <br key={key} /> : token.raw;
    default:
      return token.raw;
  }
}

function link(token: Tokens.Link, key: string, context: InlineContext): ReactNode {
  const isBare = token.raw === token.text;
  const end = isBare ? token.text.search(/[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef“”‘’…—]/) : -1;
  if (end > 0) {
    // A bare address ends where Chinese goes on, not at the next blank.
    const address = token.text.slice(0, end);
    const scheme = token.href.startsWith(address) ? '' : 'https://';
    const rest = token.text.slice(end);
    return [anchor(scheme + address, address, key), rest];
  }
  const label = renderInline(token.tokens, { ...context, isInLink: true });
  const isPicture = token.tokens.some(({ type }) => type === 'image');
  return anchor(token.href, isPicture ? withTarget(label, token.href) : label, key);
}

function picture({ href, text: alt }: Tokens.Image, key: string, context: InlineContext): ReactNode {
  const label = context.pictureLabel(decodeEntities(alt) || href);
  return context.isInLink ? label : anchor(href, withTarget(label, href), key);
}

/** A picture's own words may say anything: the link that replaces it shows where it leads. */
function withTarget(label: ReactNode, address: string): ReactNode {
  const href = safeAddress(decodeEntities(address));
  if (!href) return label;
  const { host, pathname } = new URL(href);
  return [<bdi key="label">{label}</bdi>, ` (${host || pathname})`];
}

function anchor(address: string, label: ReactNode, key: string): ReactNode {
  const href = safeAddress(decodeEntities(address));
  if (!href) return <span key={key}>{label}</span>;
  return (
    <a key={key} href={href} target="_blank" rel="noopener noreferrer nofollow">
      {label}
    </a>
  );
}

/** Splits a text at its citations and at strong marks that CommonMark leaves alone beside Chinese punctuation. */
function text({ text: raw }: Tokens.Text, key: string, context: InlineContext): ReactNode {
  const parts = raw.split(/(\s?\[\d{1,3}\]|\*\*[^*\n]+\*\*)/);
  return parts.map((part, index) => {
    const cited = /^\s?\[(\d{1,3})\]$/.exec(part);
    const mark = cited && context.citation(Number(cited[1]), `${key}.${index}`);
    if (mark) return ['\u2060', mark];
    const strong = /^\*\*([^*\n]+)\*\*$/.exec(part);
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one immutable text have no other name
    if (strong) return <strong key={`${key}.${index}`}>{decodeEntities(strong[1]!)}</strong>;
    return decodeEntities(part);
  });
}
