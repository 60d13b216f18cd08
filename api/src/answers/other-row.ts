import { analyseQuestion } from './analyse-question.ts';
import type { PassageText } from './extract-answer.ts';
import type { CountedUnit } from './find-candidates.ts';
import { namesIn } from './names-in.ts';
import { type Span, structureOf } from './structure.ts';
import { termSetOf } from './term-sets.ts';

/** A table is a list to look things up in from so many rows on, of cells of so many UTF-16 units on average at most. */
const fewestRows = 8;
const longestCell = 60;
/** Share of what the question says of rows that the best row may lack. */
const mostMissing = 0.15;
/** Share of what the question says of rows that a cell has to say to be the name of its row. */
const leastNamed = 0.35;
/** Units that count less are accidents of cutting Chinese. */
const content = 0.6;

/**
 * Whether a question asks for a row that a list lacks: the best passage says only names of columns, or the row that says most of the question
 * lacks a code, a name, or words that other rows have, and none of its cells is named in full. The nearest row would be a wrong answer
 * then. `passages` come the best first. Pure.
 */
export function asksForOtherRow(
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
  if (rows.length < fewestRows || cells > longestCell) return false;
  const above = termSetOf([best.title, best.place, head].join('\n'));
  const asked = units.filter((unit) => unit.share >= content && !isSaid(unit, above));
  const names = namesIn(text);
  const isName = ({ surface }: CountedUnit) => names.has(surface) || names.has(surface.split('-')[0]!);
  const parseQuestion = (stretch: string) => {
    const terms = termSetOf(stretch);
    const said = asked.filter((unit) => isSaid(unit, terms));
    return { text: stretch, said, weight: said.reduce((sum, { weight }) => sum + weight, 0) };
  };
  if (asked.length > 0 && parseQuestion(best.text).said.length === 0) return true;
  const weighed = rows.map(parseQuestion);
  const top = weighed.reduce((most, one) => (one.weight > most.weight ? one : most));
  const elsewhere = new Set(weighed.flatMap(({ said }) => said));
  const missing = asked.filter(
    (unit) => !top.said.includes(unit) && (elsewhere.has(unit) || isCode(unit) || isName(unit)),
  );
  if (missing.some(isCode)) return true;
  const lost = missing.reduce((sum, { weight }) => sum + weight, 0);
  const whole = lost + top.weight;
  const isNamed = (cell: string) =>
    parseQuestion(cell).weight >= leastNamed * whole && isCovered(cell, units);
  return lost > mostMissing * whole && !top.text.split('|').some(isNamed);
}

/** A number of many digits, or a name with some. */
function isCode({ surface }: CountedUnit): boolean {
  return /\p{Nd}{5}|\p{L}.*\p{Nd}{3}/u.test(surface);
}

/** Whether the question says every word of a cell. */
function isCovered(cell: string, units: readonly CountedUnit[]): boolean {
  const asked = new Set(units.flatMap(({ groups }) => groups.flatMap(({ terms }) => terms)));
  return analyseQuestion(cell, 'en').units.every(
    ({ share, groups }) =>
      share < content || groups.some(({ terms }) => terms.every((term) => asked.has(term))),
  );
}

function isSaid({ groups }: CountedUnit, terms: ReadonlySet<string>): boolean {
  return groups.some((group) => group.terms.every((term) => terms.has(term)));
}

/** The names of the columns of a passage that is a table for the most part; '' of another. */
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
