import { shellText } from '../bson/shell-text.ts';
import { type Doc, fieldOf, isDoc, isNum, isTruthy, kindOf, type Value } from '../bson/values.ts';
import { badValue, failedToParse } from '../errors.ts';
import { compileFilter, isOperators } from '../query/matcher.ts';

/** What `$` and `$[name]` stand for. */
export interface Positions {
  filter: Doc;
  arrayFilters: Map<string, (element: Value) => boolean>;
}

/** Reads arrayFilters: each is about one name, `{ 'x.a': 1 }` or `{ x: { $gt: 1 } }`. */
export function parseArrayFilters(filters: Value[]): Positions['arrayFilters'] {
  const tests: Positions['arrayFilters'] = new Map();
  for (const filter of filters) {
    if (!isDoc(filter)) throw failedToParse('array filters must be documents');
    const name = nameOf(filter);
    if (tests.has(name)) {
      throw failedToParse(`Found multiple array filters with the same top-level field name ${name}`);
    }
    const match = compileFilter(filter);
    tests.set(name, (element) => match({ [name]: element }));
  }
  return tests;
}

function nameOf(filter: Doc): string {
  const names = new Set(topNames(filter));
  const [name] = names;
  if (name === undefined) {
    throw failedToParse('Cannot use an expression without a top-level field name in arrayFilters');
  }
  if (names.size > 1) {
    throw failedToParse(
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${[...names].join("' and '")}'`,
    );
  }
  if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) {
    throw badValue(
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
    );
  }
  return name;
}

function topNames(filter: Doc): string[] {
  return Object.entries(filter).flatMap(([path, operand]) => {
    if (!path.startsWith('$')) return [path.split('.')[0] as string];
    return Array.isArray(operand) ? operand.flatMap((clause) => (isDoc(clause) ? topNames(clause) : [])) : [];
  });
}

/** The names that an update's paths use must have their filter, and the other way round. */
export function checkArrayFilters(paths: (readonly string[])[], { arrayFilters }: Positions): void {
  const used = new Set(paths.flatMap((path) => path.flatMap((part) => /^\$\[(.+)\]$/.exec(part)?.[1] ?? [])));
  for (const name of used) {
    if (!arrayFilters.has(name)) throw badValue(`No array filter found for identifier '${name}'`);
  }
  for (const name of arrayFilters.keys()) {
    if (!used.has(name)) {
      throw failedToParse(`The array filter for identifier '${name}' was not used in the update`);
    }
  }
}

/** The paths that one path with `$`, `$[]` or `$[name]` means in this document. */
export function resolvePath(doc: Doc, path: readonly string[], positions: Positions): string[][] {
  const at = path.findIndex((part) => part.startsWith('$'));
  if (at < 0) return [[...path]];
  const before = path.slice(0, at);
  const array = valueAt(doc, before);
  return indexesOf(doc, array, before, path[at] as string, positions).flatMap((index) =>
    resolvePath(doc, [...before, String(index), ...path.slice(at + 1)], positions),
  );
}

function indexesOf(
  doc: Doc,
  array: Value | undefined,
  path: string[],
  part: string,
  positions: Positions,
): number[] {
  if (part === '$') return [matchedIndex(doc, path, array, positions.filter)];
  if (array === undefined) {
    throw badValue(
      `The path '${path.join('.')}' must exist in the document in order to apply array updates.`,
    );
  }
  if (!Array.isArray(array)) {
    throw badValue(`Cannot apply array updates to non-array element ${path.at(-1)}: ${shellText(array)}`);
  }
  const test = part === '$[]' ? () => true : positions.arrayFilters.get(part.slice(2, -1));
  return [...array.keys()].filter((i) => test?.(array[i] as Value));
}

function valueAt(doc: Doc, path: readonly string[]): Value | undefined {
  let value: Value | undefined = doc;
  for (const part of path) {
    if (Array.isArray(value)) value = /^\d+$/.test(part) ? value[Number(part)] : undefined;
    else value = isDoc(value) ? fieldOf(value, part) : undefined;
  }
  return value;
}

const NO_MATCH = 'The positional operator did not find the match needed from the query.';

/** The first element by which the document met the query's conditions on this array. */
function matchedIndex(doc: Doc, path: string[], array: Value | undefined, filter: Doc): number {
  if (!Array.isArray(array)) throw badValue(NO_MATCH);
  const found = conditionsOn(path.join('.'), filter).map((condition) => {
    const match = compileFilter(condition);
    return array.findIndex((element) => match(withArray(doc, path, [element])));
  });
  const index = found[0];
  if (index === undefined || index < 0) throw badValue(NO_MATCH);
  if (found.some((other) => other !== index)) {
    throw badValue(
      `The positional operator is ambiguous: several conditions on '${path.join('.')}' met different elements`,
    );
  }
  return index;
}

const POSITIVE = new Set([
  '$eq',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$elemMatch',
  '$regex',
  '$type',
  '$exists',
  '$all',
]);

function conditionsOn(arrayPath: string, filter: Doc): Doc[] {
  return Object.entries(filter).flatMap(([path, operand]): Doc[] => {
    if (path === '$and') return (operand as Doc[]).flatMap((clause) => conditionsOn(arrayPath, clause));
    if (path !== arrayPath && !path.startsWith(`${arrayPath}.`)) return [];
    return isPositive(operand) ? [{ [path]: operand }] : [];
  });
}

function isPositive(operand: Value): boolean {
  if (!isOperators(operand)) return kindOf(operand) !== 'array';
  const exists = fieldOf(operand, '$exists');
  if (exists !== undefined && !(isNum(exists) || typeof exists === 'boolean' ? isTruthy(exists) : false))
    return false;
  return Object.keys(operand).every((name) => POSITIVE.has(name));
}

function withArray(doc: Doc, path: readonly string[], array: Value[]): Doc {
  const [name, ...rest] = path as [string, ...string[]];
  const inner = fieldOf(doc, name);
  if (rest.length === 0) return { ...doc, [name]: array };
  if (isDoc(inner)) return { ...doc, [name]: withArray(inner, rest, array) };
  throw badValue(NO_MATCH);
}
