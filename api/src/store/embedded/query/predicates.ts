import type { BSONRegExp } from 'bson';
import { encodeKey, keyText, TAGS } from '../bson/key-encoding.ts';
import { isNum, isTruthy, type Kind, kindOf, typeName, type Value } from '../bson/values.ts';
import { badValue, failedToParse, StoreError, unsupported } from '../errors.ts';
import { toRegExp } from './regex.ts';

/** Says yes or no to one value on a path; `undefined` is a missing field. */
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
  const regexes = operand.filter((value) => kindOf(value) === 'regex').map((value) => matches(value));
  for (const value of operand) {
    if (kindOf(value) === 'object' && Object.keys(value as object)[0]?.startsWith('$')) {
      throw badValue(`cannot nest $ under ${operator}`);
    }
  }
  const keys = new Set(operand.map(keyText));
  return (value) =>
    keys.has(keyText(value === undefined ? null : value)) || regexes.some((match) => match(value));
}

/** A regular expression matches the strings it matches, and a stored regular expression that is the same. */
export function matches(operand: Value, options?: Value): Predicate {
  const regex = toRegExp(operand, options);
  const same = kindOf(operand) === 'regex' ? equals(operand) : () => false;
  return (value) => (typeof value === 'string' ? regex.test(value) : same(value));
}

/** For arrays alone: the path must not look into them. */
export function hasSize(operand: Value, path: string): Predicate {
  if (!isNum(operand)) {
    throw badValue(`Failed to parse $size. Expected a number in: ${path}: got ${typeName(operand)}`);
  }
  const size = Number(operand);
  if (!Number.isInteger(size)) {
    throw badValue(`Failed to parse $size. Expected an integer: ${path}: ${size}`);
  }
  if (size < 0) throw badValue(`Failed to parse $size. Expected a non-negative number in: ${path}: ${size}`);
  return (value) => Array.isArray(value) && value.length === size;
}

export const isThere: Predicate = (value) => value !== undefined;

export const wantsThere = (operand: Value) => isTruthy(operand);

/** MongoDB's numbers of the types, beside their names. Source: BSON specification. */
const NUMBER_OF_KIND: Record<Kind, number> = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  int: 16,
  timestamp: 17,
  long: 18,
  minKey: -1,
  maxKey: 127,
};

export function isOfType(operand: Value, path: string): Predicate {
  const wanted = Array.isArray(operand) ? operand : [operand];
  if (wanted.length === 0) throw failedToParse(`${path} must match at least one type`);
  const kinds = new Set(wanted.flatMap(kindsOf));
  return (value) => value !== undefined && kinds.has(kindOf(value));
}

function kindsOf(wanted: Value): Kind[] {
  if (wanted === 'number') return ['int', 'long', 'double'];
  if (typeof wanted === 'string') {
    if (!Object.hasOwn(NUMBER_OF_KIND, wanted)) throw badValue(`Unknown type name alias: ${wanted}`);
    return [wanted as Kind];
  }
  if (!isNum(wanted)) throw new StoreError(14, 'type must be represented as a number or a string');
  const found = Object.entries(NUMBER_OF_KIND).find(([, number]) => number === Number(wanted));
  if (!found) throw badValue(`Invalid numerical type code: ${Number(wanted)}`);
  return [found[0] as Kind];
}

/** `{ $regex }` takes text or a regular expression, and options only once. */
export function regexOperand(regex: Value, options: Value | undefined): Predicate {
  if (typeof regex !== 'string' && kindOf(regex) !== 'regex') throw badValue('$regex has to be a string');
  if (options !== undefined && typeof options !== 'string') throw badValue('$options has to be a string');
  if (options !== undefined && kindOf(regex) === 'regex' && (regex as BSONRegExp).options !== '') {
    throw new StoreError(51075, 'options set in both $regex and $options');
  }
  return matches(regex, options);
}
