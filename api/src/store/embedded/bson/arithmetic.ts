import { Double, Int32, Long } from 'bson';
import { kindOf, type Num } from './values.ts';

const INT_MIN = -(2n ** 31n);
const INT_MAX = 2n ** 31n - 1n;
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/**
 * Adds or multiplies as MongoDB does: a double makes a double, a long a long, two ints an int or, where it
 * does not fit, a long. `undefined` where a long does not fit either.
 */
export function arithmetic(operation: '+' | '*', a: Num, b: Num): Num | undefined {
  const kinds = [kindOf(a), kindOf(b)];
  if (kinds.includes('double')) {
    const [left, right] = [Number(a), Number(b)];
    return new Double(operation === '+' ? left + right : left * right);
  }
  const [left, right] = [integerOf(a), integerOf(b)];
  const result = operation === '+' ? left + right : left * right;
  if (!kinds.includes('long') && result >= INT_MIN && result <= INT_MAX) return new Int32(Number(result));
  return result >= LONG_MIN && result <= LONG_MAX ? Long.fromBigInt(result) : undefined;
}

export const integerOf = (number: Num): bigint =>
  kindOf(number) === 'long' ? (number as Long).toBigInt() : BigInt(Number(number));

/** A sum as aggregation has it: integers stay exact until they leave the range of a long, then doubles. */
export const sumOf = (a: Num, b: Num): Num => arithmetic('+', a, b) ?? new Double(Number(a) + Number(b));
