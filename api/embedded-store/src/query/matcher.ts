import { encodeKey, keyText } from '../bson/key-encoding.ts';
import { rootOf } from '../bson/top-fields.ts';
import {
  type Doc,
  fieldOf,
  isDoc,
  isNum,
  isTruthy,
  kindOf,
  TAGS,
  typeName,
  type Value,
} from '../bson/values.ts';
import { badValue, unsupported } from '../errors.ts';
import { refusedName } from '../unsupported-names.ts';

export type Matcher = (doc: Doc) => boolean;

/** A condition on the values at one path: a test of one value, or the keys of values that must all be there. */
type Condition = { arrays: LeafArrays; test: Predicate; negated: boolean } | { allKeys: ReadonlySet<string> };

const some = (test: Predicate): Condition => ({ arrays: 'elements', test, negated: false });
const none = (test: Predicate): Condition => ({ arrays: 'elements', test, negated: true });

export const FIELD_OPERATORS: Readonly<Record<string, (operand: Value, path: string) => Condition>> = {
  $all: compileAll,
  $eq: (operand) => some(equals(operand)),
  $exists: (operand) => (isTruthy(operand) ? some(isThere) : none(isThere)),
  $gt: (operand, path) => some(compares('$gt', operand, path)),
  $gte: (operand, path) => some(compares('$gte', operand, path)),
  $in: (operand) => some(isIn(operand, '$in')),
  $lt: (operand, path) => some(compares('$lt', operand, path)),
  $lte: (operand, path) => some(compares('$lte', operand, path)),
  $ne: (operand) => {
    if (kindOf(operand) === 'regex') throw badValue("Can't have regex as arg to $ne.");
    return none(equals(operand));
  },
  $nin: (operand) => none(isIn(operand, '$nin')),
  $size: (operand, path) => ({ arrays: 'whole', test: hasSize(operand, path), negated: false }),
};

export const LOGICAL_OPERATORS: Readonly<Record<string, (clauses: Matcher[]) => Matcher>> = {
  $and: (clauses) => (doc) => clauses.every((matches) => matches(doc)),
  $nor: (clauses) => (doc) => !clauses.some((matches) => matches(doc)),
  $or: (clauses) => (doc) => clauses.some((matches) => matches(doc)),
};

/**
 * Compiles a filter. It is checked as a whole, so that an unknown operator is refused on an empty collection, too.
 *
 * @throws StoreError 2 for an unknown operator or an operand of the wrong type, 115 for what the store does not support
 */
export function compileFilter(filter: Doc): Matcher {
  const matchers = Object.entries(filter).map(([name, operand]) =>
    name.startsWith('$') ? compileLogical(name, operand) : compileField(name, operand),
  );
  const [only] = matchers;
  if (only && matchers.length === 1) return only;
  return (doc) => matchers.every((match) => match(doc));
}

/** The top-level fields that a filter reads. */
export function filterRoots(filter: Doc): Set<string> {
  const roots = new Set<string>();
  const collect = (part: Doc) => {
    for (const [name, operand] of Object.entries(part)) {
      if (!name.startsWith('$')) roots.add(rootOf(name));
      else for (const clause of operand as Doc[]) collect(clause);
    }
  };
  collect(filter);
  return roots;
}

function compileLogical(name: string, operand: Value): Matcher {
  const combine = fieldOf(LOGICAL_OPERATORS, name);
  if (!combine) {
    throw refusedName(
      'query',
      name,
      badValue(
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      ),
    );
  }
  if (!Array.isArray(operand)) throw badValue(`${name} must be an array`);
  if (operand.length === 0) throw badValue('$and/$or/$nor must be a nonempty array');
  return combine(
    operand.map((clause) => {
      if (isDoc(clause)) return compileFilter(clause);
      throw badValue('$or/$and/$nor entries need to be full objects');
    }),
  );
}

/** Whether a value in a filter is a document of operators, not a value to be equal to. */
export const isOperators = (value: Value): value is Doc =>
  isDoc(value) && !!Object.keys(value)[0]?.startsWith('$');

function compileField(path: string, operand: Value): Matcher {
  const parts = path.split('.');
  if (parts.some((part, i) => i > 0 && /^\d+$/.test(part))) throw unsupported(`the array index in '${path}'`);
  if (kindOf(operand) === 'regex') throw unsupported('a regular expression');
  const operators = isOperators(operand) ? Object.entries(operand) : [['$eq', operand] as const];
  const conditions = operators.map(([name, value]) => compileOperator(name, value, path));
  return (doc) => conditions.every((condition) => holds(condition, doc, parts));
}

function compileOperator(name: string, operand: Value, path: string): Condition {
  const compile = fieldOf(FIELD_OPERATORS, name);
  if (compile) return compile(operand, path);
  throw refusedName('query', name, badValue(`unknown operator: ${name}`));
}

function compileAll(operand: Value): Condition {
  if (!Array.isArray(operand)) throw badValue('$all needs an array');
  for (const value of operand) {
    if (kindOf(value) === 'regex') throw unsupported('a regular expression in $all');
    if (!isOperators(value)) continue;
    if (Object.keys(value)[0] === '$elemMatch') throw unsupported('$elemMatch');
    throw badValue('no $ expressions in $all');
  }
  return operand.length === 0 ? some(() => false) : { allKeys: new Set(operand.map(keyText)) };
}

function holds(condition: Condition, doc: Doc, path: readonly string[]): boolean {
  if ('allKeys' in condition) return hasAll(doc, path, condition.allKeys);
  return someAt(doc, path, condition.arrays, condition.test) !== condition.negated;
}

/** Reads each value of the document once, however many values it must have. */
function hasAll(doc: Doc, path: readonly string[], keys: ReadonlySet<string>): boolean {
  const found = new Set<string>();
  return someAt(doc, path, 'elements', (value) => {
    const key = keyText(value === undefined ? null : value);
    if (keys.has(key)) found.add(key);
    return found.size === keys.size;
  });
}

/** What a test gets of an array at the end of a path: each element and the whole array, or the whole array only. */
type LeafArrays = 'elements' | 'whole';

/**
 * Whether `test` accepts one of the values at a path of a document. A missing value is `undefined`, except within an array: elements that
 * are no documents are skipped there. Source: MongoDB's BSONElementIterator (src/mongo/db/matcher/path.cpp).
 */
function someAt(
  doc: Doc,
  path: readonly string[],
  arrays: LeafArrays,
  test: (value: Value | undefined) => boolean,
): boolean {
  let value: Value | undefined = doc;
  let depth = 0;
  while (depth < path.length && isDoc(value)) value = fieldOf(value, path[depth++] as string);
  if (!Array.isArray(value)) return test(depth === path.length ? value : undefined);
  const rest = path.slice(depth);
  if (rest.length > 0) return value.some((element) => isDoc(element) && someAt(element, rest, arrays, test));
  return (arrays === 'elements' && value.some(test)) || test(value);
}

/** A test of one value at a path; `undefined` is a missing field. */
type Predicate = (value: Value | undefined) => boolean;

function equals(operand: Value): Predicate {
  const key = encodeKey(operand);
  const tag = key[0];
  return (value) => {
    const present = value === undefined ? null : value;
    return TAGS[kindOf(present)] === tag && encodeKey(present).equals(key);
  };
}

/** One of `$gt`, `$gte`, `$lt`, `$lte`: compares within the operand's own type, as MongoDB does. */
function compares(operator: string, operand: Value, path: string): Predicate {
  const kind = kindOf(operand);
  if (kind === 'regex') throw badValue(`Can't have RegEx as arg to predicate over field '${path}'.`);
  if (kind === 'minKey' || kind === 'maxKey') throw unsupported(`${operator} with ${kind}`);
  const orEqual = operator === '$gte' || operator === '$lte';
  if (isNum(operand) && Number.isNaN(Number(operand))) return orEqual ? equals(operand) : () => false;
  const key = encodeKey(operand);
  const wanted = operator === '$gt' || operator === '$gte' ? 1 : -1;
  return (value) => {
    const present = value === undefined ? null : value;
    if (TAGS[kindOf(present)] !== key[0]) return false;
    if (isNum(present) && Number.isNaN(Number(present))) return false;
    const order = Buffer.compare(encodeKey(present), key);
    return order === wanted || (orEqual && order === 0);
  };
}

function isIn(operand: Value, operator: string): Predicate {
  if (!Array.isArray(operand)) throw badValue(`${operator} needs an array`);
  for (const value of operand) {
    if (kindOf(value) === 'regex') throw unsupported(`a regular expression in ${operator}`);
    if (kindOf(value) === 'object' && Object.keys(value as object)[0]?.startsWith('$'))
      throw badValue(`cannot nest $ under ${operator}`);
  }
  const keys = new Set(operand.map(keyText));
  return (value) => keys.has(keyText(value === undefined ? null : value));
}

/** For whole arrays, not for their elements. */
function hasSize(operand: Value, path: string): Predicate {
  if (!isNum(operand))
    throw badValue(`Failed to parse $size. Expected a number in: ${path}: got ${typeName(operand)}`);
  const size = Number(operand);
  if (!Number.isInteger(size) || size >= 2 ** 31)
    throw badValue(`Failed to parse $size. Expected an integer: ${path}: ${size}`);
  if (size < 0) throw badValue(`Failed to parse $size. Expected a non-negative number in: ${path}: ${size}`);
  return (value) => Array.isArray(value) && value.length === size;
}

const isThere: Predicate = (value) => value !== undefined;
