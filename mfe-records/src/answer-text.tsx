import { lexer, type Token, type Tokens } from 'marked';
import { createElement, Fragment, type ReactNode, useMemo } from 'react';
import styles from './answer-text.module.css';
import { CiteMark } from './cite-mark.tsx';
import { FIRST_LEVEL, headingLevels } from './heading-levels.ts';

interface AnswerTextProps {
  markdown: string;
  /** How many sources there are: `[n]` beyond them stays as it was written. */
  citations: number;
  citeLabel(n: number): string;
  tableLabel: string;
  onCite(n: number): void;
  /** Shows plain text otherwise than as it stands: with found words marked, say. */
  showText?(text: string): ReactNode;
}

type Cite = (n: number, key: string) => ReactNode;
interface Context {
  cite: Cite;
  showText(text: string): ReactNode;
  tableLabel: string;
  /** Of a heading, in the page. */
  level: number;
  depth: number;
}

/** What is nested deeper is shown as its source. */
const MAX_DEPTH = 16;

/** A kept answer: Markdown's syntax tree as React elements by an allow list; raw HTML stays text. */
export function AnswerText(props: AnswerTextProps) {
  const { markdown, citations, citeLabel, tableLabel, onCite, showText = asItStands } = props;
  const tokens = useMemo(() => lexer(markdown, { gfm: true }), [markdown]);
  const cite: Cite = (n, key) =>
    n >= 1 && n <= citations ? <CiteMark key={key} n={n} label={citeLabel(n)} onCite={onCite} /> : null;
  return (
    <div className={styles.prose}>
      {blocks(tokens, { cite, showText, tableLabel, level: FIRST_LEVEL, depth: 0 })}
    </div>
  );
}

function blocks(tokens: readonly Token[] | undefined, context: Context): ReactNode {
  const levels = headingLevels(tokens ?? []);
  return tokens?.map((token, index) =>
    block(token, `${index}`, {
      ...context,
      depth: context.depth + 1,
      level: levels.get(index) ?? FIRST_LEVEL,
    }),
  );
}

function block(token: Token, key: string, context: Context): ReactNode {
  if (context.depth > MAX_DEPTH) return <p key={key}>{token.raw}</p>;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'paragraph':
      return <p key={key}>{inline(token.tokens, context)}</p>;
    case 'text':
      return token.tokens ? (
        <span key={key}>{inline(token.tokens, context)}</span>
      ) : (
        <p key={key}>{token.raw}</p>
      );
    case 'heading':
      return createElement(`h${context.level}`, { key }, inline(token.tokens, context));
    case 'hr':
      return <hr key={key} />;
    case 'blockquote':
      return <blockquote key={key}>{blocks(token.tokens, context)}</blockquote>;
    case 'code':
      return (
        <pre key={key}>
          <code>{context.showText(token.text)}</code>
        </pre>
      );
    case 'list':
      return list(token as Tokens.List, key, context);
    case 'table':
      return table(token as Tokens.Table, key, context);
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    default:
      return <p key={key}>{token.raw.trimEnd()}</p>;
  }
}

function list({ ordered, start, items }: Tokens.List, key: string, context: Context): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place
  const children = items.map((item, index) => <li key={index}>{blocks(item.tokens, context)}</li>);
  if (!ordered) return <ul key={key}>{children}</ul>;
  return (
    <ol key={key} start={typeof start === 'number' ? start : 1}>
      {children}
    </ol>
  );
}

function table({ header, rows }: Tokens.Table, key: string, context: Context): ReactNode {
  const cells = (row: readonly Tokens.TableCell[], Tag: 'th' | 'td') =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its column
    row.map((cell, index) => <Tag key={index}>{inline(cell.tokens, context)}</Tag>);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too
    <section key={key} className={styles.scroll} aria-label={context.tableLabel} tabIndex={0}>
      <table>
        <thead>
          <tr>{cells(header, 'th')}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place
            <tr key={index}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function inline(tokens: readonly Token[] | undefined, context: Context): ReactNode {
  if (context.depth > MAX_DEPTH) return tokens?.map(({ raw }) => raw).join('');
  const inner = { ...context, depth: context.depth + 1 };
  return tokens?.map((token, index) => {
    const key = `${index}`;
    switch (token.type) {
      case 'text':
        return 'tokens' in token && token.tokens
          ? inline(token.tokens, inner)
          : cited(token.text, key, context);
      case 'escape':
        return token.text;
      case 'strong':
        return <strong key={key}>{inline(token.tokens, inner)}</strong>;
      case 'em':
        return <em key={key}>{inline(token.tokens, inner)}</em>;
      case 'del':
        return <del key={key}>{inline(token.tokens, inner)}</del>;
      case 'codespan':
        return <code key={key}>{context.showText(token.text)}</code>;
      case 'br':
        return <br key={key} />;
      case 'link':
        return link(token as Tokens.Link, key, inner);
      default:
        return token.raw;
    }
  });
}

function link(token: Tokens.Link, key: string, context: Context): ReactNode {
  const label = inline(token.tokens, context);
  if (!/^(?:https?:\/\/|mailto:)/i.test(token.href)) return <span key={key}>{label}</span>;
  return (
    <a key={key} href={token.href} target="_blank" rel="noopener noreferrer nofollow">
      {label}
    </a>
  );
}

/** `[n]` becomes its mark, tied to the word before it by U+2060. */
function cited(text: string, key: string, { cite, showText }: Context): ReactNode {
  return text.split(/(\s?\[\d{1,3}\])/).map((part, index) => {
    const found = /^\s?\[(\d{1,3})\]$/.exec(part);
    const mark = found && cite(Number(found[1]), `${key}.${index}`);
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place
    return mark ? ['\u2060', mark] : <Fragment key={index}>{showText(part)}</Fragment>;
  });
}

function asItStands(text: string): ReactNode {
  return text;
}
