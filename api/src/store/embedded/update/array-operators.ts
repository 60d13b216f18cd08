import { compareValues, keyText, sameValue } from '../bson/key-encoding.ts';
import { type Doc, fieldOf, isDoc, isNum, kindOf, typeName, type Value } from '../bson/values.ts';
import { badValue, typeMismatch } from '../errors.ts';
import { compileFilter, elemMatchTest } from '../query/matcher.ts';
import { matches } from '../query/predicates.ts';
import { parseSort, sortKeyOf } from '../storage/index-keys.ts';

const PUSH_CLAUSES = new Set(['$each', '$slice', '$position', '$sort']);

/** `$each` and what goes with it; a single value where there is none. */
export function eachOf(operand: Value, operator: '$push' | '$addToSet'): Value[] {
  if (!isDoc(operand) || !Object.hasOwn(operand, '$each')) return [operand];
  const each = operand.$each as Value;
  if (!Array.isArray(each)) {
    const message = `The argument to $each in ${operator} must be an array but it was of type: ${typeName(each)}`;
    throw operator === '$push' ? badValue(message) : typeMismatch(message);
  }
  const clauses = operator === '$push' ? PUSH_CLAUSES : new Set(['$each']);
  const other = Object.keys(operand).find((name) => !clauses.has(name));
  if (other) throw badValue(`Unrecognized clause in ${operator}: ${other}`);
  return each;
}

export function checkPush(operand: Value): void {
  eachOf(operand, '$push');
  if (!isDoc(operand) || !Object.hasOwn(operand, '$each')) return;
  for (const name of ['$slice', '$position']) {
    const value = fieldOf(operand, name);
    if (value === undefined) continue;
    if (!isNum(value) || !Number.isInteger(Number(value))) {
      throw badValue(`The value for ${name} must be an integer value but was given type: ${typeName(value)}`);
    }
  }
  const sort = fieldOf(operand, '$sort');
  if (sort !== undefined) pushOrder(sort);
}

export function push(array: Value[], operand: Value): Value[] {
  const values = eachOf(operand, '$push');
  if (!isDoc(operand) || !Object.hasOwn(operand, '$each')) return [...array, ...values];
  const position = fieldOf(operand, '$position');
  const at = position === undefined ? array.length : positionIn(array, Number(position));
  let result = [...array.slice(0, at), ...values, ...array.slice(at)];
  const sort = fieldOf(operand, '$sort');
  if (sort !== undefined) result = result.sort(pushOrder(sort));
  const limit = fieldOf(operand, '$slice');
  if (limit === undefined) return result;
  const count = Number(limit);
  if (count === 0) return [];
  return count > 0 ? result.slice(0, count) : result.slice(count);
}

const positionIn = (array: Value[], position: number) =>
  position >= 0 ? Math.min(position, array.length) : Math.max(0, array.length + position);

function pushOrder(sort: Value): (a: Value, b: Value) => number {
  if (isNum(sort) && Math.abs(Number(sort)) === 1) return (a, b) => Number(sort) * compareValues(a, b);
  if (!isDoc(sort) || Object.keys(sort).length === 0) {
    throw badValue(
      'The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields',
    );
  }
  const fields = parseSort(sort);
  const keyOf = (value: Value) => sortKeyOf(isDoc(value) ? value : {}, fields);
  return (a, b) => Buffer.compare(keyOf(a), keyOf(b));
}

export function addToSet(array: Value[], operand: Value): Value[] {
  const known = new Set(array.map(keyText));
  const result = [...array];
  for (const value of eachOf(operand, '$addToSet')) {
    const key = keyText(value);
    if (known.has(key)) continue;
    known.add(key);
    result.push(value);
  }
  return result;
}

/** A document as operand is a condition: operators on the element itself, or a filter on its fields. */
export function pull(array: Value[], operand: Value): Value[] {
  const goes = pullTest(operand);
  return array.filter((element) => !goes(element));
}

function pullTest(operand: Value): (element: Value) => boolean {
  if (kindOf(operand) === 'regex') return matches(operand);
  if (!isDoc(operand)) return (element) => sameValue(element, operand);
  if (isCondition(operand)) {
    // As a filter on a field would: also into an element that is an array.
    const match = compileFilter({ element: operand });
    return (element) => match({ element });
  }
  const test = elemMatchTest(operand);
  return (element) => isDoc(element) && test(element);
}

function isCondition(operand: Doc): boolean {
  const first = Object.keys(operand)[0];
  return !!first?.startsWith('$') && !['$and', '$or', '$nor'].includes(first);
}

export function pullAll(array: Value[], values: Value[]): Value[] {
  const gone = new Set(values.map(keyText));
  return array.filter((element) => !gone.has(keyText(element)));
}

export const pop = (array: Value[], end: number): Value[] =>
  end === 1 ? array.slice(0, -1) : array.slice(1);
