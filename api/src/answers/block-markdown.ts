import { type Block, type Item, leavesOf, type Span } from './structure.ts';

/** Pages draw a remark as a table with an empty first column: it is prose, not a table. null for a real one. */
export function remarkOf(text: string, table: Extract<Block, { kind: 'table' }>): string | null {
  const cellsOf = (row: Span) => {
    const line = text.slice(row.start, row.end).trim();
    return line
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim());
  };
  if (table.head === null || table.rows.length === 0) return null;
  const rows = [table.head, ...table.rows].map(cellsOf);
  if (!rows.every((cells) => cells.length === 2 && cells[0] === '')) return null;
  const [name, ...lines] = rows.map((cells) => cells[1]!);
  return `**${name}** ${lines.join(' ')}`;
}

/** A list whose first item was within another stands by itself now. */
export function outdented(markdown: string): string {
  const indent = /^[ \t]+(?=[-*+•]|\d)/.exec(markdown)?.[0] ?? '';
  return indent === '' ? markdown : markdown.replaceAll(`\n${indent}`, '\n').slice(indent.length);
}

/** A block without the sentences, items and rows that `isKept` is false for: itself where all are kept, else one block for each run of them. */
export function keepLeaves(block: Block, isKept: (leaf: Span) => boolean): Block[] {
  const leaves = leavesOf(block);
  const runs: Span[][] = [[]];
  for (const leaf of leaves) {
    if (isKept(leaf)) runs.at(-1)!.push(leaf);
    else runs.push([]);
  }
  if (runs.length === 1) return [block];
  return runs.flatMap((run): Block[] => {
    if (run.length === 0) return [];
    const span = { start: run[0]!.start, end: run.at(-1)!.end };
    if (block.kind === 'list') return [{ ...block, ...span, items: run as Item[] }];
    if (block.kind === 'paragraph') return [{ ...block, ...span, sentences: run }];
    return block.kind === 'table' ? [{ ...block, ...span, rows: run }] : [];
  });
}
