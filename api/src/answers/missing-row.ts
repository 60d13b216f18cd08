import { analyseQuestion } from './analyse-question.ts';
import type { PassageText } from './extract-answer.ts';
import type { CountedUnit } from './find-candidates.ts';
import { namesIn } from './names-in.ts';
import { type Span, structureOf } from './structure.ts';
import { termSetOf } from './term-sets.ts';

/** Minimum rows and maximum average cell length, in UTF-16 units, of a table for look-ups. */
const minRows = 8;
const maxCellLength = 60;
/** Maximum share of the question's words about rows that the best row may lack. */
const maxMissing = 0.15;
/** Minimum share of these words in a cell that is the row's name. */
const minNamed = 0.35;
/** Units with a smaller share are Chinese pairs across the edge of a word. */
const minContentShare = 0.6;

/**
 * Whether a question asks for a row that the table does not have, so that the most similar row would be a wrong answer: the best passage matches
 * only column names, or its best row lacks a code, a name, or words of other rows, and the question names none of its cells in full. Pure.
 *
 * @param passages best first.
 */
export function asksForMissingRow(
  passages: readonly Pick<PassageText, 'documentId' | 'text' | 'tableHead' | 'title' | 'place'>[],
  units: readonly CountedUnit[],
  text: string,
): boolean {
  const [best] = passages;
  const head = best && headOf(best);
  if (!head) return false;
  const same = passages.filter((one) => one.documentId === best.documentId && headOf(one) === head);
  const rows = same.flatMap((one) => rowsOf(one.text).map((row) => one.text.slice(row.start, row.end)));
  const columns = head.split('|').length - 2;
  const cells = rows.reduce((sum, row) => sum + row.length, 0) / (rows.length * Math.max(1, columns));
  if (rows.length < minRows || cells > maxCellLength) return false;
  const above = termSetOf([best.title, best.place, head].join('\n'));
  const asked = units.filter((unit) => unit.share >= minContentShare && !isSaid(unit, above));
  const names = namesIn(text);
  const isName = ({ surface }: CountedUnit) => names.has(surface) || names.has(surface.split('-')[0]!);
  const weighRow = (stretch: string) => {
    const terms = termSetOf(stretch);
    const said = asked.filter((unit) => isSaid(unit, terms));
    return { text: stretch, said, weight: said.reduce((sum, { weight }) => sum + weight, 0) };
  };
  if (asked.length > 0 && weighRow(best.text).said.length === 0) return true;
  const weighed = rows.map(weighRow);
  const top = weighed.reduce((most, one) => (one.weight > most.weight ? one : most));
  const elsewhere = new Set(weighed.flatMap(({ said }) => said));
  const missing = asked.filter(
    (unit) => !top.said.includes(unit) && (elsewhere.has(unit) || isCode(unit) || isName(unit)),
  );
  if (missing.some(isCode)) return true;
  const lost = missing.reduce((sum, { weight }) => sum + weight, 0);
  const whole = lost + top.weight;
  const isNamed = (cell: string) => weighRow(cell).weight >= minNamed * whole && isCovered(cell, units);
  return lost > maxMissing * whole && !top.text.split('|').some(isNamed);
}

/** A number of at least five digits, or a name with at least three. */
function isCode({ surface }: CountedUnit): boolean {
  return /\p{Nd}{5}|\p{L}.*\p{Nd}{3}/u.test(surface);
}

/** Whether the question contains every word of a cell. */
function isCovered(cell: string, units: readonly CountedUnit[]): boolean {
  const asked = new Set(units.flatMap(({ groups }) => groups.flatMap(({ terms }) => terms)));
  return analyseQuestion(cell, 'en').units.every(
    ({ share, groups }) =>
      share < minContentShare || groups.some(({ terms }) => terms.every((term) => asked.has(term))),
  );
}

function isSaid({ groups }: CountedUnit, terms: ReadonlySet<string>): boolean {
  return groups.some((group) => group.terms.every((term) => terms.has(term)));
}

/** The header row of a passage that is mostly a table; '' for any other. */
function headOf({ text, tableHead }: Pick<PassageText, 'text' | 'tableHead'>): string {
  const tables = structureOf(text).filter((block) => block.kind === 'table');
  const [first] = tables;
  const length = tables.reduce((sum, { start, end }) => sum + end - start, 0);
  if (!first || length < text.length / 2) return '';
  return (first.head ? text.slice(first.head.start, first.head.end) : tableHead).trim();
}

function rowsOf(text: string): Span[] {
  return structureOf(text).flatMap((block) => (block.kind === 'table' ? block.rows : []));
}
