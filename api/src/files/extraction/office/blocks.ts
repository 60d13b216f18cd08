import { tableOf } from '../table-rows.ts';
import { numberedLevels } from '../text-headings.ts';

/** A part of a document's text. */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'heading'; level: number; text: string }
  /** An item with its mark; `level` is its indentation from 0. */
  | { kind: 'item'; level: number; text: string }
  | { kind: 'table'; rows: readonly (readonly string[])[] };

export function textBlock(text: string): Block {
  return { kind: 'text', text };
}

/** Turns numbered paragraphs into headings if they look like ones: 一、 第三章 2.1. */
export function withNumberedHeadings(blocks: readonly Block[]): Block[] {
  const levels = numberedLevels(
    blocks.map((block) => {
      if (block.kind === 'text') return block.text;
      return block.kind === 'heading' ? blockText(block, 0) : '- ';
    }),
  );
  return blocks.map((block, at) =>
    levels[at]! > 0 && block.kind === 'text'
      ? { kind: 'heading', level: levels[at]!, text: block.text }
      : block,
  );
}

export function markdownOf(blocks: readonly Block[]): string {
  let text = '';
  /** The outermost level of the current list so far; null outside of one. */
  let outermost: number | null = null;
  for (const block of blocks) {
    const start: number | null =
      block.kind === 'item' ? Math.min(outermost ?? block.level, block.level) : null;
    const shown = blockText(block, start ?? 0);
    if (shown.trim() === '') continue;
    if (text !== '') text += start !== null && outermost !== null ? '\n' : '\n\n';
    text += shown;
    outermost = start;
  }
  return text;
}

function blockText(block: Block, outermost: number): string {
  if (block.kind === 'heading') return `${'#'.repeat(block.level)} ${block.text}`;
  if (block.kind === 'item') return indented(block.text, '  '.repeat(Math.max(0, block.level - outermost)));
  if (block.kind === 'text') return block.text;
  return tableText(block.rows);
}

/** Further lines belong to the item as well. */
function indented(text: string, indent: string): string {
  return indent + text.replaceAll('\n', `\n${indent}  `);
}

/** The first row has the names of the columns; a single column is paragraphs. */
export function tableText(rows: readonly (readonly string[])[]): string {
  return rows.every((row) => row.length < 2) ? rows.flat().filter(Boolean).join('\n\n') : tableOf(rows);
}

/** Blocks on one line, for the cell of a table. */
export function lineOf(blocks: readonly Block[]): string {
  return blocks
    .map((block) =>
      block.kind === 'table' ? block.rows.map((row) => row.filter(Boolean).join(' ')).join('; ') : block.text,
    )
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}
