import { keyText } from '../bson/key-encoding.ts';
import { rootOf } from '../bson/top-fields.ts';
import { type Doc, fieldOf, isDoc, kindOf, typeName, type Value } from '../bson/values.ts';
import { badValue, unsupported } from '../errors.ts';
import { arrayAsDoc, type LeafArrays, someAt } from './paths.ts';
import {
  compares,
  equals,
  hasSize,
  isIn,
  isOfType,
  isThere,
  matches,
  type Predicate,
  regexOperand,
  wantsThere,
} from './predicates.ts';

/** Says whether a document matches. */
export type Matcher = (doc: Doc) => boolean;

/** A condition on one path: `leaf` tells how it looks at arrays; `not` fails where all of its own hold; `all` are keys of values. */
type Condition =
  | { leaf: LeafArrays; test: Predicate; negated: boolean }
  | { not: Condition[] }
  | { all: ReadonlySet<string> };

function holds(condition: Condition, doc: Doc, path: readonly string[]): boolean {
  if ('not' in condition) return !condition.not.every((inner) => holds(inner, doc, path));
  if ('all' in condition) return hasAll(doc, path, condition.all);
  return someAt(doc, path, condition.leaf, condition.test) !== condition.negated;
}

/** Of an array's element itself: not looked into where it is an array again. */
function holdsOf(condition: Condition, element: Value): boolean {
  if ('not' in condition) return !condition.not.every((inner) => holdsOf(inner, element));
  if ('all' in condition) return condition.all.size === 1 && condition.all.has(keyText(element));
  return condition.test(element) !== condition.negated;
}

/** Looks at each value of the document once, however many values it must have. */
function hasAll(doc: Doc, path: readonly string[], keys: ReadonlySet<string>): boolean {
  const found = new Set<string>();
  return someAt(doc, path, 'elements', (value) => {
    const key = keyText(value === undefined ? null : value);
    if (keys.has(key)) found.add(key);
    return found.size === keys.size;
  });
}

/**
 * Reads a filter once, so that every unknown operator is refused also on an empty collection (code 2).
 * Operators: $and $or $nor $not, $eq $ne $gt $gte $lt $lte $in $nin, $exists $type, $all $elemMatch $size,
 * $regex with $options, $comment.
 */
export function compileFilter(filter: Doc): Matcher {
  const matchers = Object.entries(filter).map(([name, operand]) =>
    name.startsWith('$') ? compileLogical(name, operand) : compileField(name, operand),
  );
  const only = matchers[0];
  if (only && matchers.length === 1) return only;
  return (doc) => matchers.every((match) => match(doc));
}

/** The documents' own fields that a filter looks at. */
export function filterRoots(filter: Doc): Set<string> {
  const roots = new Set<string>();
  const collect = (part: Doc) => {
    for (const [name, operand] of Object.entries(part)) {
      if (!name.startsWith('$')) roots.add(rootOf(name));
      else if (Array.isArray(operand)) for (const clause of operand) collect(clause as Doc);
    }
  };
  collect(filter);
  return roots;
}

/** Known to MongoDB, not to the embedded store: said so, rather than "unknown". */
const NOT_HERE = new Set([
  '$expr',
  '$where',
  '$text',
  '$jsonSchema',
  '$mod',
  '$near',
  '$nearSphere',
  '$geoWithin',
  '$geoIntersects',
  '$bitsAllSet',
  '$bitsAllClear',
  '$bitsAnySet',
  '$bitsAnyClear',
  '$sampleRate',
  '$alwaysTrue',
  '$alwaysFalse',
]);

function compileLogical(name: string, operand: Value): Matcher {
  if (name === '$comment') return () => true;
  if (NOT_HERE.has(name)) throw unsupported(name);
  if (name !== '$and' && name !== '$or' && name !== '$nor') {
    throw badValue(
      `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
    );
  }
  if (!Array.isArray(operand)) throw badValue(`${name} must be an array`);
  if (operand.length === 0) throw badValue('$and/$or/$nor must be a nonempty array');
  const matchers = operand.map((clause) => {
    if (!isDoc(clause)) throw badValue('$or/$and/$nor entries need to be full objects');
    return compileFilter(clause);
  });
  if (name === '$and') return (doc) => matchers.every((match) => match(doc));
  const wanted = name === '$or';
  return (doc) => matchers.some((match) => match(doc)) === wanted;
}

export const isOperators = (value: Value): value is Doc =>
  isDoc(value) && !!Object.keys(value)[0]?.startsWith('$');

function compileField(path: string, operand: Value): Matcher {
  const parts = path.split('.');
  const conditions = isOperators(operand)
    ? compileOperators(path, operand)
    : [compileOperator(path, isRegex(operand) ? '$regex' : '$eq', operand, operand)];
  return (doc) => conditions.every((condition) => holds(condition, doc, parts));
}

const isRegex = (value: Value) => kindOf(value) === 'regex';

function compileOperators(path: string, operators: Doc): Condition[] {
  const conditions: Condition[] = [];
  for (const [name, operand] of Object.entries(operators)) {
    if (name === '$options') {
      if (!Object.hasOwn(operators, '$regex')) throw badValue('$options needs a $regex');
    } else if (name === '$not') conditions.push(compileNot(path, operand));
    else if (name === '$all') conditions.push(...compileAll(operand));
    else conditions.push(compileOperator(path, name, operand, operators));
  }
  return conditions;
}

const elements = (test: Predicate, negated = false): Condition => ({ leaf: 'elements', test, negated });
const whole = (test: Predicate): Condition => ({ leaf: 'whole', test, negated: false });

function compileOperator(path: string, name: string, operand: Value, among: Value): Condition {
  switch (name) {
    case '$eq':
      return elements(equals(operand));
    case '$ne':
      if (isRegex(operand)) throw badValue("Can't have regex as arg to $ne.");
      return elements(equals(operand), true);
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return elements(compares(name, operand, path));
    case '$in':
      return elements(isIn(operand, name));
    case '$nin':
      return elements(isIn(operand, name), true);
    case '$exists':
      return elements(isThere, !wantsThere(operand));
    case '$type':
      return elements(isOfType(operand, path));
    case '$size':
      return whole(hasSize(operand, path));
    case '$elemMatch':
      return whole(compileElemMatch(operand));
    case '$regex':
      return elements(isDoc(among) ? regexOperand(operand, fieldOf(among, '$options')) : matches(operand));
    default:
      if (NOT_HERE.has(name)) throw unsupported(name);
      throw badValue(`unknown operator: ${name}`);
  }
}

/** `$not` negates all its operators together: a document that fails one of them matches. */
function compileNot(path: string, operand: Value): Condition {
  if (isRegex(operand)) return elements(matches(operand), true);
  if (!isDoc(operand)) throw badValue('$not needs a regex or a document');
  if (Object.keys(operand).length === 0) throw badValue('$not cannot be empty');
  return { not: compileOperators(path, operand) };
}

function compileAll(operand: Value): Condition[] {
  if (!Array.isArray(operand)) throw badValue('$all needs an array');
  if (operand.length === 0) return [elements(() => false)];
  const first = operand[0];
  const isElemMatch = (value: Value | undefined) => isDoc(value) && Object.keys(value)[0] === '$elemMatch';
  const conditions: Condition[] = [];
  const all = new Set<string>();
  for (const value of operand) {
    if (isElemMatch(first) !== isElemMatch(value)) throw badValue('$all/$elemMatch has to be consistent');
    if (isElemMatch(value)) conditions.push(whole(compileElemMatch((value as Doc).$elemMatch as Value)));
    else if (isOperators(value)) throw badValue('no $ expressions in $all');
    else if (isRegex(value)) conditions.push(elements(matches(value)));
    else all.add(keyText(value));
  }
  return all.size > 0 ? [{ all }, ...conditions] : conditions;
}

/** One and the same element meets everything: operators on the element itself, or a filter on its fields. */
function compileElemMatch(operand: Value): Predicate {
  if (!isDoc(operand)) throw badValue(`$elemMatch needs an Object, got ${typeName(operand)}`);
  const test = isValueForm(operand) ? elementTest(operand) : documentTest(operand);
  return (value) => Array.isArray(value) && value.some(test);
}

export function elemMatchTest(operand: Doc): (element: Value) => boolean {
  return isValueForm(operand) ? elementTest(operand) : documentTest(operand);
}

const isValueForm = (operand: Doc) =>
  isOperators(operand) && !['$and', '$or', '$nor'].includes(Object.keys(operand)[0] as string);

function elementTest(operand: Doc): (element: Value) => boolean {
  const conditions = compileOperators('', operand);
  return (element) => conditions.every((condition) => holdsOf(condition, element));
}

function documentTest(operand: Doc): (element: Value) => boolean {
  const match = compileFilter(operand);
  return (element) => {
    if (isDoc(element)) return match(element);
    return Array.isArray(element) && match(arrayAsDoc(element));
  };
}
