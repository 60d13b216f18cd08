import { dot, wordVectors } from '../embeddings/word-vectors.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import { allTerms } from '../index/passage-terms.ts';
import { cellsOf, type Span } from '../index/structure.ts';
import type { CountedUnit } from '../retrieve/find-candidates.ts';
import { intervalFit } from '../retrieve/intervals.ts';
import { type AskedUnits, headText, type Table, textOf } from '../retrieve/places.ts';
import { type Coverage, coverageOf, minSaid, weightOf } from '../retrieve/rank.ts';
import {
  type Excerpt,
  introductionOf,
  lengthOf,
  type Part,
  type Size,
  sizeOf,
  trimPipes,
  wholeBlock,
  wholeList,
  withHead,
} from './part.ts';
import { withoutOwnMarks } from './quoted-words.ts';

/** Maximum length of the rows that are shown. */
const wholeTable: Size = { zh: 300, en: 500 };
/** Tables with at most this many rows are shown whole if several of them answer. */
const maxWholeRows = 3;
/** Of tables with more columns, only those that were asked for are shown, at most `maxChosenColumns`. */
const maxColumns = 4;
const maxChosenColumns = 5;

/**
 * Shows the rows of a table that say most of the question, best first, adjacent ones as one group. A short
 * table, and one of which no row says more than the others, is shown whole.
 */
export function rowsOf(excerpt: Excerpt, table: Table): Part[][] {
  const { passage, question } = excerpt;
  const head = headText(passage, table);
  const besides = unitsBesides([passage.heading, passage.place, head], question.units);
  const chosen = rowsThatSay(passage, table, head, { ...question, units: besides });
  const isShort = passage.tableHead === '' && table.rows.length <= maxWholeRows;
  const isWhole = chosen.length === 0 || (isShort && chosen.length > 1);
  const rows = isWhole ? table.rows : chosen;
  const columns = columnsFor(passage, head, rows, question);
  const isNarrowed = columns.shown.length < cellsOf(head).length;
  if (isWhole && !isNarrowed && lengthOf(table) <= sizeOf(wholeList, passage))
    return [[...introductionOf(excerpt, table), wholeBlock(passage, table)]];
  let left = sizeOf(wholeTable, passage);
  const shown = rows.filter((row, at) => {
    left -= lineOf(passage, row, columns).length;
    return at === 0 || left >= 0;
  });
  const groups = adjacent(passage, shown).map((run, at) => [rowPart(passage, head, run, columns, at === 0)]);
  const folded = table.rows.filter((row) => rows.includes(row) && !shown.includes(row));
  if (folded.length > 0) {
    const lines = folded.map((row) => textOf(passage, row).trim());
    groups.at(-1)!.at(-1)!.restOfTable = withHead(head, lines.join('\n'));
  }
  return groups;
}

/** Groups adjacent rows. Groups are in the order of their best rows. */
function adjacent({ text }: KnowledgePassage, rows: readonly Span[]): Span[][] {
  const runs: Span[][] = [];
  for (const row of rows.toSorted((one, other) => one.start - other.start)) {
    const last = runs.at(-1)?.at(-1);
    if (last && text.slice(last.end, row.start).trim() === '') runs.at(-1)!.push(row);
    else runs.push([row]);
  }
  const rankOf = (run: readonly Span[]) => Math.min(...run.map((row) => rows.indexOf(row)));
  return runs.sort((one, other) => rankOf(one) - rankOf(other));
}

/** Indices of the columns to show, and of those that were asked for. */
interface Columns {
  shown: readonly number[];
  asked: readonly number[];
}

/**
 * Chooses columns: all of a narrow table, else the first one, those whose cells say something of the
 * question, those whose names do (`asked`), and those with the names nearest to the question.
 */
function columnsFor(
  passage: KnowledgePassage,
  head: string,
  rows: readonly Span[],
  { units, vector }: AskedUnits,
): Columns {
  const names = cellsOf(head);
  const widths = rows.map((row) => cellsOf(textOf(passage, row)).length);
  const all = Array.from({ length: Math.max(names.length, ...widths) }, (_, at) => at);
  const named = unitsBesides([head], units);
  const saysAny = (text: string, some: readonly CountedUnit[]) =>
    coverageOf(text, some).some((share, at) => share >= minSaid && some[at]!.weight > 0);
  const isNaming = names.map((_, at) =>
    rows.some((row) => saysAny(cellsOf(textOf(passage, row))[at] ?? '', named)),
  );
  const asked = names.flatMap((name, at) =>
    name !== '' && !isNaming[at] && saysAny(name, units) ? [at] : [],
  );
  if (names.length <= maxColumns || asked.length === 0) return { shown: all, asked };
  const isNeeded = (at: number) => at === 0 || isNaming[at] === true || asked.includes(at);
  const nearness = names.map((name) => dot(vector, wordVectors().vectorOf(name)));
  const others = all
    .filter((at) => !isNeeded(at) && nearness[at]! > minNearness)
    .sort((one, other) => nearness[other]! - nearness[one]!)
    .slice(0, Math.max(0, maxChosenColumns - all.filter(isNeeded).length));
  return { shown: all.filter((at) => isNeeded(at) || others.includes(at)), asked };
}

/** Minimum cosine of the question and the name of a column that is shown for its nearness. */
const minNearness = 0.2;

/** The units of the question of which these texts contain no term. */
function unitsBesides(texts: readonly string[], units: readonly CountedUnit[]): CountedUnit[] {
  const terms = new Set(allTerms(texts.join('\n')));
  return units.filter((unit) => !unit.terms.some((term) => terms.has(term)));
}

/**
 * The rows that say most of the question, best first, of those whose intervals fit its amounts best. Rows
 * that say only a part of what another one says are left out. None if all rows say as much.
 */
function rowsThatSay(
  passage: KnowledgePassage,
  table: Table,
  head: string,
  { units, amounts }: AskedUnits,
): Span[] {
  const scored = table.rows.map((row) => {
    const said = coverageOf(textOf(passage, row), units);
    return { row, said, score: weightOf(said, units) };
  });
  const fits = table.rows.map((row) => intervalFit(amounts, textOf(passage, row), head));
  const bestFit = Math.max(...fits);
  const some = scored.filter((_, at) => fits[at] === bestFit);
  const top = Math.max(...some.map(({ score }) => score));
  const most = Math.max(...units.map(({ weight }) => weight), 0);
  const isNamed = ({ score }: { score: number }) => score > 0 && score >= top * 0.75 && score >= most * 0.6;
  const chosen = some.filter((one) => isNamed(one) || (bestFit > 0 && top === 0));
  const saysAll = (one: Coverage, other: Coverage) => other.every((share, at) => one[at]! >= share);
  const best = chosen.filter(
    ({ said, score }) => !chosen.some((other) => other.score > score && saysAll(other.said, said)),
  );
  if (best.length === table.rows.length && best.length > 1) return [];
  return best.sort((one, other) => other.score - one.score).map(({ row }) => row);
}

/** A row as Markdown with the shown cells, those that were asked for in bold. */
function lineOf(passage: KnowledgePassage, row: Span, { shown, asked }: Columns): string {
  const cells = cellsOf(textOf(passage, row));
  const cellAt = (at: number) => {
    const cell = cells[at] ?? '';
    return asked.includes(at) && cell !== '' && !/[*_`\\[]/.test(cell) ? `**${cell}**` : cell;
  };
  return `| ${shown.map(cellAt).join(' | ')} |`;
}

/** The part of adjacent rows; only the first part of a table has the header row. */
function rowPart(
  passage: KnowledgePassage,
  head: string,
  rows: readonly Span[],
  columns: Columns,
  isFirst: boolean,
): Part {
  const names = cellsOf(head);
  const lines = rows.map((row) => lineOf(passage, row, columns)).join('\n');
  const top = head && `| ${columns.shown.map((at) => names[at] ?? '').join(' | ')} |`;
  const rests = rows.flatMap((row) => {
    const cells = cellsOf(textOf(passage, row));
    const others = cells.flatMap((cell, at) =>
      columns.shown.includes(at) || cell === '' ? [] : [`${names[at] ?? ''} ${cell}`.trim()],
    );
    const [first] = rows.length > 1 ? cells : [];
    return others.length > 0 ? [[first, ...others].filter(Boolean).join(' · ')] : [];
  });
  return {
    start: trimPipes(passage.text, rows[0]!).start,
    end: trimPipes(passage.text, rows.at(-1)!).end,
    kind: 'table',
    isRow: true,
    markdown: isFirst ? withHead(top, lines) : lines,
    ...(rests.length > 0 ? { restOfRow: withoutOwnMarks(rests.join('\n\n')) } : {}),
  };
}
