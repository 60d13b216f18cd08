import { type FileToRead, type ReadFile, tooLarge } from './file-to-read.ts';
import { parseJson } from './parse-json.ts';
import { createTable } from './table-rows.ts';

interface Step {
  /** undefined for an array element. */
  key: string | undefined;
  value: unknown;
  depth: number;
}

/** Maximum indentation depth. */
const maxIndent = 12;

/**
 * Converts arrays of similar objects to tables, parts of the top-level object to sections with headings, and
 * everything else to nested lists. Not recursive: a file may nest arbitrarily deep.
 */
export function readJson({ text, limits }: FileToRead): ReadFile {
  const value = parseJson(text);
  const lines: string[] = [];
  let length = 0;
  const push = (line: string) => {
    length += line.length + 1;
    if (length > limits.maxText) throw tooLarge('text', limits.maxText);
    lines.push(line);
  };
  const stack: Step[] = [{ key: undefined, value, depth: 0 }];
  while (stack.length > 0) {
    const step = stack.pop()!;
    const children = write(step, push, limits.maxText);
    for (let at = children.length - 1; at >= 0; at -= 1) stack.push(children[at]!);
  }
  const title = isObject(value) && typeof value.title === 'string' ? value.title : '';
  return { text: lines.join('\n'), title };
}

/** Writes one value and returns its children. */
function write({ key, value, depth }: Step, push: (line: string) => void, maxText: number): Step[] {
  const indent = '  '.repeat(Math.min(Math.max(depth - 2, 0), maxIndent));
  if (typeof value !== 'object' || value === null) {
    push(`${indent}- ${key === undefined ? '' : `${key}: `}${oneLine(value)}`);
    return [];
  }
  const isRoot = depth === 0;
  const table = depth <= 1 ? tableOf(value, maxText) : null;
  if (depth === 1 && key !== undefined) push(`\n## ${oneLine(key)}\n`);
  if (table !== null) {
    push(`${table}\n`);
    return [];
  }
  // Of brackets within brackets only the outer ones are shown.
  if (depth > 1 && (key !== undefined || depth <= maxIndent))
    push(`${indent}-${key === undefined ? '' : ` ${oneLine(key)}:`}`.trimEnd());
  const inner = isRoot ? 1 : depth + 1;
  if (Array.isArray(value)) {
    return value.map((item) => collapseFlat({ key: undefined, value: item, depth: isRoot ? 2 : inner }));
  }
  const entries = Object.entries(value).map(([key, item]) =>
    collapseFlat({ key, value: item, depth: inner }),
  );
  // Plain values come before the headings, otherwise they would belong to the last section.
  return isRoot ? entries.sort((a, b) => Number(isNested(a.value)) - Number(isNested(b.value))) : entries;
}

/** A short array of plain values becomes one line. */
function collapseFlat(step: Step): Step {
  const { value } = step;
  if (!Array.isArray(value) || value.length > 50 || value.some(isNested)) return step;
  const line = value.map(oneLine).join(', ');
  return line.length > 200 ? step : { ...step, value: line };
}

function tableOf(value: object, maxText: number): string | null {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) return null;
  const columns = new Set<string>();
  for (const row of value) {
    for (const [name, cell] of Object.entries(row)) {
      if (isNested(cell)) return null;
      columns.add(name);
    }
    if (columns.size > 60) return null;
  }
  if (columns.size === 0) return null;
  const head = [...columns];
  const table = createTable(head, maxText);
  for (const row of value) {
    table.add(head.map((name) => (row[name] === undefined ? '' : oneLine(row[name]))));
  }
  return table.text();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function oneLine(value: unknown): string {
  return String(value).replace(/\s*\n\s*/g, ' ');
}
