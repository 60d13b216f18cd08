import { encodeKey, keyText, TAGS } from '../bson/key-encoding.ts';
import { isNum, isTruthy, kindOf, typeName, type Value } from '../bson/values.ts';
import { badValue, unsupported } from '../errors.ts';

/** A test of one value at a path; `undefined` is a missing field. */
export type Predicate = (value: Value | undefined) => boolean;

export function equals(operand: Value): Predicate {
  const key = encodeKey(operand);
  const tag = key[0];
  return (value) => {
    const present = value === undefined ? null : value;
    return TAGS[kindOf(present)] === tag && encodeKey(present).equals(key);
  };
}

/** One of `$gt`, `$gte`, `$lt`, `$lte`: compares within the operand's own type, as MongoDB does. */
export function compares(operator: string, operand: Value, path: string): Predicate {
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

export function isIn(operand: Value, operator: string): Predicate {
  if (!Array.isArray(operand)) throw badValue(`${operator} needs an array`);
  for (const value of operand) {
    if (kindOf(value) === 'regex') throw unsupported(`a regular expression in ${operator}`);
    if (kindOf(value) === 'object' && Object.keys(value as object)[0]?.startsWith('$')) {
      throw badValue(`cannot nest $ under ${operator}`);
    }
  }
  const keys = new Set(operand.map(keyText));
  return (value) => keys.has(keyText(value === undefined ? null : value));
}

/** For whole arrays, not for their elements. */
export function hasSize(operand: Value, path: string): Predicate {
  if (!isNum(operand)) {
    throw badValue(`Failed to parse $size. Expected a number in: ${path}: got ${typeName(operand)}`);
  }
  const size = Number(operand);
  if (!Number.isInteger(size) || size >= 2 ** 31) {
    throw badValue(`Failed to parse $size. Expected an integer: ${path}: ${size}`);
  }
  if (size < 0) throw badValue(`Failed to parse $size. Expected a non-negative number in: ${path}: ${size}`);
  return (value) => Array.isArray(value) && value.length === size;
}

export const isThere: Predicate = (value) => value !== undefined;

export const wantsThere = (operand: Value) => isTruthy(operand);
