import type { Token, Tokens } from 'marked';
import { createElement, memo, type ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';
import { FIRST_LEVEL } from './heading-levels.ts';
import { type InlineContext, MAX_DEPTH, renderInline } from './inline.tsx';
import styles from './markdown.module.css';

interface BlockProps {
  token: Token;
  /** Of a heading, in the page. */
  level?: number | undefined;
  context: InlineContext;
  /** Accessible name of a table. */
  tableLabel: string;
}

/** One block of the syntax tree. Types that are not listed here are shown as their source text. */
export const Block = memo(function Block({
  token,
  level = FIRST_LEVEL,
  context,
  tableLabel,
}: BlockProps): ReactNode {
  if (context.depth > MAX_DEPTH) return <p>{token.raw}</p>;
  // The outermost block decides for all in it: a part with a direction of its own would not count.
  const dir = context.depth === 0 ? 'auto' : undefined;
  const blocks = (tokens: readonly Token[] | undefined) =>
    tokens?.map((child, index) => (
      <Block
        // biome-ignore lint/suspicious/noArrayIndexKey: a block is known by its place
        key={index}
        token={child}
        context={{ ...context, depth: context.depth + 1 }}
        tableLabel={tableLabel}
      />
    ));
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'paragraph':
      return <p dir={dir}>{renderInline(token.tokens, context)}</p>;
    case 'text':
      // The words of a tight list item; or of a text that could not be read as Markdown.
      return token.tokens ? renderInline(token.tokens, context) : <p>{token.raw}</p>;
    case 'heading':
      return createElement(`h${level}`, { dir }, renderInline(token.tokens, context));
    case 'hr':
      return <hr />;
    case 'blockquote':
      return (
        <blockquote className="quoted" dir={dir}>
          {blocks(token.tokens)}
        </blockquote>
      );
    case 'code':
      return <CodeBlock text={token.text} language={token.lang ?? ''} />;
    case 'list':
      return list(token as Tokens.List, dir, (item) => blocks(item.tokens));
    case 'table':
      return table(token as Tokens.Table, dir, context, tableLabel);
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    default:
      return <p>{token.raw.trimEnd()}</p>;
  }
});

function list(
  { ordered, start, items }: Tokens.List,
  dir: 'auto' | undefined,
  content: (item: Tokens.ListItem) => ReactNode,
): ReactNode {
  const children = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place
    <li key={index}>{content(item)}</li>
  ));
  if (!ordered) return <ul dir={dir}>{children}</ul>;
  return (
    <ol dir={dir} start={typeof start === 'number' ? start : 1}>
      {children}
    </ol>
  );
}

function table(
  { header, rows, align }: Tokens.Table,
  dir: 'auto' | undefined,
  context: InlineContext,
  label: string,
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
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
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
