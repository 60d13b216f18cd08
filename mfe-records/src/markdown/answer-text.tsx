import type { Translate } from 'host/contract';
import type { Token, Tokens } from 'marked';
import { createElement, type ReactNode, useMemo } from 'react';
import type { RecordWords } from '../words.ts';
import styles from './answer-text.module.css';
import { CiteMark } from './cite-mark.tsx';
import { FIRST_LEVEL, headingLevels } from './heading-levels.ts';
import { type InlineContext, MAX_DEPTH, renderInline } from './inline.tsx';
import { lex } from './lex.ts';

interface AnswerTextProps {
  markdown: string;
  t: Translate<RecordWords>;
  /** Number of sources: `[n]` beyond them stays as it was written. Default 0. */
  citations?: number;
  onCite?(n: number): void;
  /** Shows plain text, with the words of a search marked, for example. */
  showText?(text: string): ReactNode;
}

interface BlockContext extends InlineContext {
  tableLabel: string;
}

/** A saved answer: Markdown as React elements by an allow list, the same ones as in the chat. Raw HTML stays text, pictures are links. */
export function AnswerText({ markdown, t, citations = 0, onCite, showText = asItIs }: AnswerTextProps) {
  const tokens = useMemo(() => lex(markdown), [markdown]);
  const levels = headingLevels(tokens);
  const cite = (n: number, key: string) =>
    n >= 1 && n <= citations ? (
      <CiteMark key={key} n={n} label={t('cite', { n })} onCite={(cited) => onCite?.(cited)} />
    ) : null;
  const pictureLabel = (text: string) => t('pictureLink', { text });
  const context = { cite, showText, pictureLabel, tableLabel: t('table'), depth: 0 };
  return (
    <div className={styles.prose}>
      {tokens.map((token, index) => renderBlock(token, `${index}`, context, levels.get(index)))}
    </div>
  );
}

/** One block of the syntax tree. Types that are not listed here are shown as their source. */
function renderBlock(token: Token, key: string, context: BlockContext, level = FIRST_LEVEL): ReactNode {
  if (context.depth > MAX_DEPTH) return <p key={key}>{token.raw}</p>;
  // The outermost block decides for all in it: a part with a direction of its own would not count.
  const dir = context.depth === 0 ? 'auto' : undefined;
  const inner = { ...context, depth: context.depth + 1 };
  const blocks = (tokens: readonly Token[] | undefined) =>
    tokens?.map((child, index) => renderBlock(child, `${index}`, inner));
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'paragraph':
      return (
        <p key={key} dir={dir}>
          {renderInline(token.tokens, context)}
        </p>
      );
    case 'text':
      // The text of a tight list item, or one that could not be read as Markdown.
      return token.tokens ? renderInline(token.tokens, context) : <p key={key}>{token.raw}</p>;
    case 'heading':
      return createElement(`h${level}`, { key, dir }, renderInline(token.tokens, context));
    case 'hr':
      return <hr key={key} />;
    case 'blockquote':
      return (
        <blockquote className="quoted" key={key} dir={dir}>
          {blocks(token.tokens)}
        </blockquote>
      );
    case 'code':
      return code(token as Tokens.Code, key, context);
    case 'list':
      return list(token as Tokens.List, key, dir, (item) => blocks(item.tokens));
    case 'table':
      return table(token as Tokens.Table, key, dir, context);
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    default:
      return <p key={key}>{token.raw.trimEnd()}</p>;
  }
}

function code({ text, lang }: Tokens.Code, key: string, { showText }: BlockContext): ReactNode {
  const language = (lang ?? '').split(/\s/, 1)[0];
  return (
    <figure className={styles.code} key={key}>
      {language && (
        <figcaption>
          <span>{language}</span>
        </figcaption>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too */}
      <pre tabIndex={0} dir="ltr">
        <code>{showText(text)}</code>
      </pre>
    </figure>
  );
}

function list(
  { ordered, start, items }: Tokens.List,
  key: string,
  dir: 'auto' | undefined,
  content: (item: Tokens.ListItem) => ReactNode,
): ReactNode {
  const children = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place
    <li key={index}>{content(item)}</li>
  ));
  if (!ordered)
    return (
      <ul key={key} dir={dir}>
        {children}
      </ul>
    );
  return (
    <ol key={key} dir={dir} start={typeof start === 'number' ? start : 1}>
      {children}
    </ol>
  );
}

function table(
  { header, rows, align }: Tokens.Table,
  key: string,
  dir: 'auto' | undefined,
  context: BlockContext,
): ReactNode {
  const cells = (row: readonly Tokens.TableCell[], Tag: 'th' | 'td') =>
    row.map((cell, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its column
      <Tag key={index} style={align[index] ? { textAlign: align[index] } : undefined}>
        {renderInline(cell.tokens, context)}
      </Tag>
    ));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too
    <section key={key} className={styles.scroll} aria-label={context.tableLabel} tabIndex={0}>
      <table dir={dir}>
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

function asItIs(text: string): ReactNode {
  return text;
}
