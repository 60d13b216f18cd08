import type { Token, Tokens } from 'marked';
import { createElement, memo, type ReactNode } from 'react';
import { IconButton } from '../icon-button.tsx';
import { createLatePart, useLatePart } from '../late-part.tsx';
import { type InlineContext, MAX_DEPTH, renderInline } from './inline.tsx';
import styles from './markdown.module.css';

export interface BlockContext extends InlineContext {
  firstLevel: number;
  /** Accessible name of a table. */
  tableLabel: string;
  /** Adds a copy button to code blocks. */
  copyCode?: { label: string; copy(code: string): void } | undefined;
}

interface BlockProps {
  token: Token;
  /** Level of a heading in the page. Default: `context.firstLevel`. */
  level?: number | undefined;
  context: BlockContext;
}

/** One block of the syntax tree. Types that are not listed here are shown as their source text. */
export const Block = memo(function Block({
  token,
  context,
  level = context.firstLevel,
}: BlockProps): ReactNode {
  if (context.depth > MAX_DEPTH) return <p>{token.raw}</p>;
  // The outermost block sets the direction for all its contents: parts with their own direction would be ignored in detecting it.
  const dir = context.depth === 0 ? 'auto' : undefined;
  const blocks = (tokens: readonly Token[] | undefined) =>
    tokens?.map((child, index) => (
      <Block
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
        key={index}
        token={child}
        context={{ ...context, depth: context.depth + 1 }}
      />
    ));
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'paragraph':
      return <p dir={dir}>{renderInline(token.tokens, context)}</p>;
    case 'text':
      // The text of a tight list item, or one that could not be parsed as Markdown.
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
      return code(token as Tokens.Code, context);
    case 'list':
      return list(token as Tokens.List, dir, (item) => blocks(item.tokens));
    case 'table':
      return table(token as Tokens.Table, dir, context);
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    default:
      return <p>{token.raw.trimEnd()}</p>;
  }
});

function code(token: Tokens.Code, { copyCode, showText }: BlockContext): ReactNode {
  const { text, lang = '' } = token;
  const language = lang.split(/\s/, 1)[0] ?? '';
  return (
    <figure className={styles.code}>
      {(language || copyCode) && (
        <figcaption>
          <span>{language}</span>
          {copyCode && (
            <IconButton icon="copy" label={copyCode.label} isSmall onClick={() => copyCode.copy(text)} />
          )}
        </figcaption>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard */}
      <pre tabIndex={0} dir="ltr">
        <code>
          <CodeText token={token} language={language} showText={showText} />
        </code>
      </pre>
    </figure>
  );
}

function list(
  { ordered, start, items }: Tokens.List,
  dir: 'auto' | undefined,
  content: (item: Tokens.ListItem) => ReactNode,
): ReactNode {
  const children = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
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
  context: BlockContext,
): ReactNode {
  const cells = (row: readonly Tokens.TableCell[], Tag: 'th' | 'td') =>
    row.map((cell, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its column
      <Tag key={index} style={align[index] ? { textAlign: align[index] } : undefined}>
        {renderInline(cell.tokens, context)}
      </Tag>
    ));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
    <section className={`scroll-x ${styles.scroll}`} aria-label={context.tableLabel} tabIndex={0}>
      <table dir={dir}>
        <thead>
          <tr>{cells(header, 'th')}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
            <tr key={index}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export const highlighting = createLatePart(
  () => import(/* webpackChunkName: "highlighting" */ './highlighted-code.tsx'),
);

/** Longer code is not highlighted, because this would block the page for too long. In UTF-16 units. */
const MAX_HIGHLIGHTED = 20_000;

interface CodeTextProps {
  token: Tokens.Code;
  /** First word after the opening fence. */
  language: string;
  showText(text: string): ReactNode;
}

/** Code with coloured keywords, strings and comments, once the block is closed and if no search marks words in it. */
function CodeText({ token: { text, raw }, language, showText }: CodeTextProps): ReactNode {
  const shown = showText(text);
  const isPlain = !language || text.length > MAX_HIGHLIGHTED || shown !== text || !isClosed(raw);
  return isPlain ? shown : <InColour text={text} language={language} />;
}

const InColour = memo(function InColour({ text, language }: { text: string; language: string }): ReactNode {
  const { part } = useLatePart(highlighting);
  return part ? <part.HighlightedCode text={text} language={language} /> : text;
});

/** Whether the block has its closing fence: an open block is still arriving, or the answer ended within it. */
function isClosed(raw: string): boolean {
  const fence = /^ *(`{3,}|~{3,})/.exec(raw)?.[1];
  const lines = raw.trimEnd().split('\n');
  return fence !== undefined && lines.length > 1 && (lines.at(-1) ?? '').trim().startsWith(fence);
}
