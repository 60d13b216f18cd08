import { createElement, memo, type ReactNode, useMemo } from 'react';
import { QuotedText } from '../quoted-text.tsx';
import { type SourceRow, type Span, sourceBlocks } from './source-blocks.ts';
import type { SourcePart } from './source-reader.ts';
import { formatPlace, type SourceTranslate } from './source-texts.ts';
import styles from './source-viewer.module.css';

interface SourceTextProps {
  part: SourcePart;
  /** The quoted range, in units of the whole text; empty if there is none. */
  quote: Span;
  t: SourceTranslate;
}

/** Level of the document's outermost headings: below the viewer's own. */
const FIRST_LEVEL = 3;

/** A part of a document: headings, paragraphs and tables with the quote highlighted, and where pages and rows start. */
export const SourceText = memo(function SourceText({ part, quote, t }: SourceTextProps) {
  const blocks = useMemo(() => sourceBlocks(part.text, part.start), [part]);
  const numbers = useMemo(
    () =>
      new Map(part.places.flatMap(({ start, row }) => (row === undefined ? [] : [[start, row] as const]))),
    [part],
  );
  const pages = useMemo(() => pagesOf(part), [part]);
  const context = { part, quote, pages, t };
  return blocks.map((block) => {
    if (block.kind === 'table')
      return <Table key={block.rows[0]!.start} rows={block.rows} numbers={numbers} {...context} />;
    const content = quotedText(block, context);
    if (block.kind === 'code')
      return (
        <pre key={block.start} dir="ltr">
          {content}
        </pre>
      );
    const Tag = block.kind === 'heading' ? `h${Math.min(FIRST_LEVEL + block.level - 1, 6)}` : 'p';
    return createElement(Tag, { key: block.start, dir: 'auto' }, content);
  });
});

interface Context extends SourceTextProps {
  /** Positions where pages start, ascending. */
  pages: SourcePart['places'];
}

interface TableProps extends Context {
  rows: readonly SourceRow[];
  /** Row numbers of the file by the position of the row. */
  numbers: ReadonlyMap<number, number>;
}

function Table({ rows, numbers, ...context }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark, and a document has many tables
    <div className={styles.table} role="group" tabIndex={0} aria-label={context.t('table')}>
      <table dir="auto">
        <tbody>
          {rows.map((row) => (
            <Row key={row.start} row={row} number={numbers.get(row.start)} {...context} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, number, ...context }: Context & { row: SourceRow; number: number | undefined }) {
  const Cell = row.isHead ? 'th' : 'td';
  const isQuoted = context.quote.start < row.end && context.quote.end > row.start;
  return (
    <tr data-quoted={isQuoted || undefined} className={row.isHead ? styles.columns : undefined}>
      {number !== undefined && <td className={styles.row}>{number}</td>}
      {row.cells.map((cell) => (
        <Cell key={cell.start} {...(row.isHead && { scope: 'col' })}>
          {quotedText(cell, context)}
        </Cell>
      ))}
    </tr>
  );
}

/** The text of a span: the quoted part is marked, and the starts of pages are named. */
function quotedText({ start, end }: Span, { part, quote, pages, t }: Context): ReactNode[] {
  const cuts = [
    start,
    ...[quote.start, quote.end, ...pages.map((page) => page.start)].filter((at) => at > start && at < end),
    end,
  ].sort((a, b) => a - b);
  return cuts.flatMap((from, index) => {
    const to = cuts[index + 1];
    const page = pages.find(
      (one) => one.start === from || (index === 0 && isJustBefore(part, one.start, from)),
    );
    const label = page && (
      <span key={`p${from}`} className={`tag ${styles.page}`}>
        {formatPlace(page, t)}
      </span>
    );
    if (to === undefined) return [];
    const words = part.text.slice(from - part.start, to - part.start).replaceAll('\\|', '|');
    const isQuoted = from >= quote.start && to <= quote.end && quote.end > quote.start;
    const text = <QuotedText key={from} text={words} />;
    return [label, isQuoted ? <mark key={from}>{text}</mark> : text];
  });
}

/** True if a page starts at the Markdown marks of a heading, which are not part of its shown text. */
function isJustBefore({ text, start }: SourcePart, page: number, at: number): boolean {
  return page < at && /^#+ $/.test(text.slice(page - start, at - start));
}

function pagesOf({ places }: SourcePart): SourcePart['places'] {
  return places.filter(({ page }, index) => page !== undefined && page !== places[index - 1]?.page);
}
