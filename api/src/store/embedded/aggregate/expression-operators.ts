import { Double, Int32, Long, type ObjectId } from 'bson';
import { arithmetic } from '../bson/arithmetic.ts';
import { EMPTY_ARRAY, encodeKey, sameValue } from '../bson/key-encoding.ts';
import { isNum, isTruthy, kindOf, type Num, typeName, type Value } from '../bson/values.ts';
import { StoreError, unsupported } from '../errors.ts';

type Arguments = (Value | undefined)[];
interface Operator {
  least: number;
  most: number;
  compute: (values: Arguments) => Value | undefined;
  /** The operands after such a value are not computed. */
  endsAt: ((value: Value | undefined) => boolean) | undefined;
}

const operator = (
  least: number,
  most: number,
  compute: Operator['compute'],
  endsAt?: Operator['endsAt'],
): Operator => ({ least, most, compute, endsAt });

const isNullish = (value: Value | undefined): value is null | undefined =>
  value === undefined || value === null;
const isFalsy = (value: Value | undefined) => !isTruthy(value);
const isPresent = (value: Value | undefined) => !isNullish(value);

/** Missing sorts before null in expressions. */
const orderOf = (a: Value | undefined, b: Value | undefined) =>
  Buffer.compare(encodeKey(a === undefined ? EMPTY_ARRAY : a), encodeKey(b === undefined ? EMPTY_ARRAY : b));

const comparison = (holds: (order: number) => boolean) => operator(2, 2, ([a, b]) => holds(orderOf(a, b)));

/** The operators whose operands are all computed first. */
export const OPERATORS: Record<string, Operator> = {
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $cmp: operator(2, 2, ([a, b]) => new Int32(orderOf(a, b))),
  $and: operator(0, Number.POSITIVE_INFINITY, (values) => values.every(isTruthy), isFalsy),
  $or: operator(0, Number.POSITIVE_INFINITY, (values) => values.some(isTruthy), isTruthy),
  $not: operator(1, 1, ([value]) => !isTruthy(value)),
  $ifNull: operator(
    2,
    Number.POSITIVE_INFINITY,
    (values) => values.find(isPresent) ?? values.at(-1),
    isPresent,
  ),
  $add: operator(0, Number.POSITIVE_INFINITY, (values) => fold('$add', '+', values, new Int32(0))),
  $multiply: operator(0, Number.POSITIVE_INFINITY, (values) => fold('$multiply', '*', values, new Int32(1))),
  $subtract: operator(2, 2, ([a, b]) => subtract(a, b)),
  $divide: operator(2, 2, ([a, b]) => divide(a, b)),
  $concat: operator(0, Number.POSITIVE_INFINITY, concat, isNullish),
  $toLower: operator(1, 1, ([value]) =>
    asciiCase(value, (text) => text.replace(/[A-Z]+/g, (run) => run.toLowerCase())),
  ),
  $toUpper: operator(1, 1, ([value]) =>
    asciiCase(value, (text) => text.replace(/[a-z]+/g, (run) => run.toUpperCase())),
  ),
  $toString: operator(1, 1, ([value]) => toText(value)),
  $type: operator(1, 1, ([value]) => typeName(value)),
  $isArray: operator(1, 1, ([value]) => Array.isArray(value)),
  $size: operator(1, 1, ([value]) => {
    if (Array.isArray(value)) return new Int32(value.length);
    throw new StoreError(
      17124,
      `The argument to $size must be an array, but was of type: ${typeName(value)}`,
    );
  }),
  $in: operator(2, 2, ([value, array]) => {
    if (!Array.isArray(array)) {
      throw new StoreError(40081, `$in requires an array as a second argument, found: ${typeName(array)}`);
    }
    return value !== undefined && array.some((element) => sameValue(element, value));
  }),
  $arrayElemAt: operator(2, 2, ([array, index]) => elementAt('$arrayElemAt', array, index)),
  $first: operator(1, 1, ([array]) => elementAt('$first', array, new Int32(0))),
  $last: operator(1, 1, ([array]) => elementAt('$last', array, new Int32(-1))),
};

function fold(name: string, operation: '+' | '*', values: Arguments, start: Num): Value {
  if (values.some(isNullish)) return null;
  const dates = values.filter((value) => value instanceof Date);
  if (dates.length > 1 || (dates.length === 1 && operation === '*')) {
    throw new StoreError(16612, `only one date allowed in an ${name} expression`);
  }
  let total = start;
  for (const value of values as Value[]) {
    if (value instanceof Date) continue;
    if (!isNum(value))
      throw new StoreError(14, `${name} only supports numeric or date types, not ${typeName(value)}`);
    total =
      arithmetic(operation, total, value) ??
      new Double(operation === '+' ? Number(total) + Number(value) : Number(total) * Number(value));
  }
  const [date] = dates as Date[];
  return date ? new Date(date.getTime() + Math.round(Number(total))) : total;
}

function subtract(a: Value | undefined, b: Value | undefined): Value {
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date && b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  if (a instanceof Date && isNum(b)) return new Date(a.getTime() - Math.round(Number(b)));
  if (isNum(a) && isNum(b)) {
    const negated = arithmetic('*', b, new Int32(-1));
    return (negated && arithmetic('+', a, negated)) ?? new Double(Number(a) - Number(b));
  }
  throw new StoreError(14, `can't $subtract ${typeName(b)} from ${typeName(a)}`);
}

function divide(a: Value | undefined, b: Value | undefined): Value {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNum(a) || !isNum(b)) {
    throw new StoreError(14, `$divide only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
  }
  if (Number(b) === 0) throw new StoreError(2, "can't $divide by zero");
  return new Double(Number(a) / Number(b));
}

function concat(values: Arguments): Value {
  let text = '';
  for (const value of values) {
    if (isNullish(value)) return null;
    if (typeof value !== 'string')
      throw new StoreError(16702, `$concat only supports strings, not ${typeName(value)}`);
    text += value;
  }
  return text;
}

function asciiCase(value: Value | undefined, convert: (text: string) => string): Value {
  if (isNullish(value)) return '';
  if (typeof value === 'string') return convert(value);
  throw unsupported(`$toLower or $toUpper of a ${typeName(value)}`);
}

function toText(value: Value | undefined): Value {
  if (isNullish(value)) return null;
  switch (kindOf(value)) {
    case 'string':
      return value;
    case 'int':
    case 'long':
    case 'bool':
      return String(value);
    case 'objectId':
      return (value as ObjectId).toHexString();
    case 'date':
      return (value as Date).toISOString();
    default:
      throw unsupported(`$toString of a ${typeName(value)}`);
  }
}

function elementAt(name: string, array: Value | undefined, index: Value | undefined): Value | undefined {
  if (isNullish(array) || isNullish(index)) return null;
  if (!Array.isArray(array)) {
    throw new StoreError(28689, `${name}'s argument must be an array, but is ${typeName(array)}`);
  }
  if (!isNum(index) || !Number.isInteger(Number(index))) {
    throw new StoreError(
      28690,
      `${name}'s second argument must be a numeric value, but is ${typeName(index)}`,
    );
  }
  return array.at(Number(index));
}
