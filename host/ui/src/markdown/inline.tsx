import type { Token, Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';

/** Elements nested deeper are shown as their source text. */
export const MAX_DEPTH = 24;

export interface InlineContext {
  /** The mark for `[n]`, or null if there is no such source; then the characters are shown. */
  citation(n: number, key: string): ReactNode;
  /** Shows plain text, with the words of a search marked, for example. */
  showText(text: string): ReactNode;
  /** Text of the link that replaces a picture. */
  pictureLabel(text: string): string;
  depth: number;
  /** Links cannot contain links. */
  isInLink?: boolean;
}

/** Inline tokens as React elements. Types that are not listed here are shown as their source text. */
export function renderInline(tokens: readonly Token[] | undefined, context: InlineContext): ReactNode {
  return tokens?.map((token, index) => renderToken(token, `${token.type}${index}`, context));
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
      return <code key={key}>{context.showText(token.text)}</code>;
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
    // A bare address ends at the first Chinese character, not at the next space.
    const address = token.text.slice(0, end);
    const scheme = token.href.startsWith(address) ? '' : 'https://';
    const rest = token.text.slice(end);
    return [anchor(scheme + address, context.showText(address), key), context.showText(rest)];
  }
  const label = renderInline(token.tokens, { ...context, isInLink: true });
  const isPicture = token.tokens.some(({ type }) => type === 'image');
  const isMisleading = isPicture || (!isBare && namesAnotherPlace(wordsOf(token.tokens), token.href));
  return anchor(token.href, isMisleading ? withTarget(label, token.href) : label, key);
}

function picture({ href, text: alt }: Tokens.Image, key: string, context: InlineContext): ReactNode {
  const label = context.pictureLabel(decodeEntities(alt) || href);
  return context.isInLink ? label : anchor(href, withTarget(label, href), key);
}

/** The text of a link without formatting. */
function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens ? wordsOf(token.tokens) : 'text' in token ? token.text : '',
    )
    .join('');
}

const hostLike = /\d+(?:\.\d+){3}|(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]{2,}/gu;

/** Whether the text of a link looks like an address other than the one that the link leads to. */
function namesAnotherPlace(words: string, address: string): boolean {
  const href = safeAddress(decodeEntities(address));
  if (!href) return false;
  const written = decodeEntities(words)
    .normalize('NFKC')
    .replace(/[\p{Cf}\s]/gu, '')
    .replace(/(?<=[\w-])[。․‧∙·](?=[\w-])/g, '.')
    .toLowerCase();
  const { protocol, host, pathname } = new URL(href);
  if (protocol === 'tel:') return /\d{3}/.test(written) && digitsOf(written) !== digitsOf(pathname);
  if (protocol === 'mailto:') return /@|\./.test(written) && !written.includes(pathname.toLowerCase());
  const [to, shown] = [href.toLowerCase(), written].map((one) => one.replace(/^https?:\/\//, ''));
  if (to!.startsWith(shown!) && /\/|^$/.test(shown! + to!.charAt(shown!.length))) return false;
  return (written.match(hostLike) ?? []).some((named) => named !== host.replace(/:\d+$/, ''));
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** Shows the target of a link whose text may be misleading: it replaces a picture, or looks like another address. */
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

/** Splits a text at its citations and at strong marks that CommonMark ignores next to Chinese punctuation. */
function text({ text: raw }: Tokens.Text, key: string, { citation, showText }: InlineContext): ReactNode {
  return raw.split(/(\s?\[\d{1,3}\]|\*\*[^*\n]+\*\*)/).map((part, index) => {
    const partKey = `${key}.${index}`;
    const cited = /^\s?\[(\d{1,3})\]$/.exec(part);
    const mark = cited && citation(Number(cited[1]), partKey);
    // U+2060 forbids a line break between a word and its mark.
    if (mark) return ['\u2060', mark];
    const strong = /^\*\*([^*\n]+)\*\*$/.exec(part)?.[1];
    const shown = showText(decodeEntities(strong ?? part));
    return strong ? <strong key={partKey}>{shown}</strong> : <Fragment key={partKey}>{shown}</Fragment>;
  });
}

const SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Returns an absolute address if it is a web page, an e-mail address or a phone number; otherwise undefined. */
export function safeAddress(address: string): string | undefined {
  try {
    const url = new URL(address);
    return SCHEMES.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  ensp: '\u2002',
  emsp: '\u2003',
  thinsp: '\u2009',
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

/** Replaces character references by their characters, because React takes text instead of HTML. Unknown ones stay unchanged. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,8}));/g,
    (whole, decimal, hex, name) => {
      if (name) return NAMED[name] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : '\ufffd';
    },
  );
}
