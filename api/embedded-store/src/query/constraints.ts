import { encodeKey, keyText } from '../bson/key-encoding.ts';
import { type Doc, isNum, type Kind, kindOf, type Value } from '../bson/values.ts';
import { isOperators } from './matcher.ts';

/** A condition of a filter on one path that an index can serve. */
export interface Constraint {
  path: string;
  /** The possible values, or a range within one type. */
  wanted: { points: Value[] } | { range: Range };
  /** Exactly the documents in these bounds meet the condition, so they need not be tested. */
  exact: boolean;
}

export interface Range {
  kind: Kind;
  low: Bound | undefined;
  high: Bound | undefined;
}

interface Bound {
  value: Value;
  inclusive: boolean;
}

export interface Constraints {
  list: Constraint[];
  /** The list has every condition of the filter. */
  complete: boolean;
}

/** The conditions of a filter that an index can serve. The filter must have been compiled, which checks its form. */
export function constraintsOf(filter: Doc): Constraints {
  const list: Constraint[] = [];
  let complete = true;
  for (const [path, operand] of Object.entries(filter)) {
    const found = path.startsWith('$') ? ofLogical(path, operand) : ofField(path, operand);
    list.push(...found.list);
    complete &&= found.complete;
  }
  return { list, complete };
}

function ofLogical(name: string, operand: Value): Constraints {
  const clauses = operand as Doc[];
  if (name === '$and') return merge(clauses.map(constraintsOf));
  if (name === '$or' && clauses.length === 1) return constraintsOf(clauses[0] as Doc);
  return { list: name === '$or' ? hulls(clauses) : [], complete: false };
}

function merge(parts: Constraints[]): Constraints {
  return { list: parts.flatMap(({ list }) => list), complete: parts.every(({ complete }) => complete) };
}

function ofField(path: string, operand: Value): Constraints {
  if (!isOperators(operand)) return only(pointsOf(path, [operand]));
  const entries = Object.entries(operand);
  return merge(entries.map(([operator, value]) => ofOperator(path, operator, value)));
}

const only = (constraint: Constraint | undefined): Constraints =>
  constraint ? { list: [constraint], complete: true } : { list: [], complete: false };

function ofOperator(path: string, operator: string, operand: Value): Constraints {
  switch (operator) {
    case '$eq':
      return only(pointsOf(path, [operand]));
    case '$in':
      return only(pointsOf(path, operand as Value[]));
    case '$all': {
      const values = operand as Value[];
      // No document has all of no values: an empty list of points finds nothing either.
      if (values.length === 0) return only(pointsOf(path, []));
      return merge(values.map((value) => only(pointsOf(path, [value]))));
    }
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return only(rangeOf(path, operator, operand));
    default:
      return { list: [], complete: false };
  }
}

/**
 * Arrays are not looked up, as an index has keys of their elements. Null stands for a missing field, too, in filters and keys alike; within
 * an array, however, a key may be null where the filter does not match, so documents are tested again there.
 */
function pointsOf(path: string, values: Value[]): Constraint | undefined {
  const kinds = values.map(kindOf);
  if (kinds.includes('array')) return undefined;
  const points = [...new Map(values.map((value) => [keyText(value), value])).values()];
  return { path, wanted: { points }, exact: !kinds.includes('null') || !path.includes('.') };
}

const RANGED: ReadonlySet<Kind> = new Set(['string', 'int', 'long', 'double', 'date', 'objectId', 'bool']);

function rangeOf(path: string, operator: string, value: Value): Constraint | undefined {
  const kind = kindOf(value);
  if (!RANGED.has(kind) || (isNum(value) && Number.isNaN(Number(value)))) return undefined;
  const bound = { value, inclusive: operator === '$gte' || operator === '$lte' };
  const isLow = operator === '$gt' || operator === '$gte';
  const range = { kind, low: isLow ? bound : undefined, high: isLow ? undefined : bound };
  return { path, wanted: { range }, exact: true };
}

/** Ranges that contain all branches: in `{ $or: [{ at: { $lt: t } }, { at: t, _id: … }] }`, `at <= t`. */
function hulls(branches: Doc[]): Constraint[] {
  const [first, ...others] = branches.map((branch) => constraintsOf(branch).list);
  return (first ?? []).flatMap((constraint) => {
    const inOthers = others.map((list) => list.find(({ path }) => path === constraint.path));
    const ranges = [constraint, ...inOthers].map(asRange);
    const hull = ranges.reduce((a, b) => (a && b ? widen(a, b) : undefined));
    return hull ? [{ path: constraint.path, wanted: { range: hull }, exact: false }] : [];
  });
}

function asRange(constraint: Constraint | undefined): Range | undefined {
  if (!constraint) return undefined;
  if ('range' in constraint.wanted) return constraint.wanted.range;
  const [point, ...others] = constraint.wanted.points;
  if (point === undefined || others.length > 0 || !RANGED.has(kindOf(point))) return undefined;
  const bound = { value: point, inclusive: true };
  return { kind: kindOf(point), low: bound, high: bound };
}

function widen(a: Range, b: Range): Range | undefined {
  if (encodeKind(a.kind) !== encodeKind(b.kind)) return undefined;
  return {
    kind: a.kind,
    low: a.low && b.low && further(a.low, b.low, -1, true),
    high: a.high && b.high && further(a.high, b.high, 1, true),
  };
}

const encodeKind = (kind: Kind) => (kind === 'long' || kind === 'double' ? 'int' : kind);

/** The higher bound (`wanted` 1) or the lower one; of two at the same value the inclusive one if `isOuter`. */
function further(a: Bound, b: Bound, wanted: 1 | -1, isOuter: boolean): Bound {
  const order = Buffer.compare(encodeKey(a.value), encodeKey(b.value));
  if (order === 0) return a.inclusive === isOuter ? a : b;
  return order === wanted ? a : b;
}

/** The intersection of two ranges; only for a path without arrays, as elements may meet the conditions separately. */
export function intersect(a: Range, b: Range): Range | undefined {
  if (encodeKind(a.kind) !== encodeKind(b.kind)) return undefined;
  const inner = (one: Bound | undefined, other: Bound | undefined, wanted: 1 | -1) =>
    one && other ? further(one, other, wanted, false) : (one ?? other);
  return { kind: a.kind, low: inner(a.low, b.low, 1), high: inner(a.high, b.high, -1) };
}
