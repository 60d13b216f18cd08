import type { TextKey } from '../../../i18n/texts-of.ts';
import type { CommandContext } from '../context/command-context.ts';
import { formatNextPage, oneLine, type Say } from '../context/format.ts';

/** Characters that are two columns wide in East Asian terminals. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** Width of `text` in terminal columns. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

/** Columns with two spaces between them. The last is not padded; the columns in `right` are right-aligned. */
export function alignColumns(cells: readonly (readonly string[])[], right: readonly number[] = []): string {
  const rows = cells.map((row) => row.map(oneLine));
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  return rows
    .map((row) =>
      row
        .map((cell, column) => pad(cell, column))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');

  function pad(cell: string, column: number): string {
    const space = ' '.repeat((widths[column] ?? 0) - widthOf(cell));
    return right.includes(column) ? space + cell : cell + space;
  }
}

/** Key of its title, or '' for none; its content; and whether it is right-aligned. */
export type Column<T> = readonly [
  title: TextKey<'cli-compose'> | '',
  cell: (item: T) => string,
  isRight?: boolean,
];

/** A table with a title row and one row for each of `items`. */
export function formatTable<T>(items: readonly T[], columns: readonly Column<T>[], say: Say): string {
  const head = columns.map(([title]) => title && say(title));
  const rows = items.map((item) => columns.map(([, cell]) => cell(item)));
  const right = columns.flatMap(([, , isRight], column) => (isRight ? [column] : []));
  return alignColumns([head, ...rows], right);
}

export interface PageOptions {
  limit?: number;
  cursor?: string;
}

/** Prints a page of the list `key` of the response, with the command for the next page; the text `none` if it is empty. */
export async function answerPage<K extends string, T>(
  { client, say, answer }: CommandContext,
  key: K,
  columns: readonly Column<T>[],
  { path, query, command, none, options }: PageRequest,
): Promise<void> {
  const { limit, cursor } = options;
  type Page = Record<K, T[]> & { nextCursor: string | null };
  const page = await client.get<Page>(path, { ...query, limit, cursor });
  answer(page, () => {
    if (none && page[key].length === 0) return say(none);
    return formatTable(page[key], columns, say) + formatNextPage(command, options, page.nextCursor, say);
  });
}

interface PageRequest {
  path: string;
  query?: Record<string, string | undefined>;
  command: readonly string[];
  none?: TextKey<'cli-compose'>;
  options: PageOptions;
}

/** Indents every line of `text`. */
export function indent(text: string, by = 2): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(by));
}
