import { Double, Int32, Long } from 'bson';
import { kindOf, type Num } from './values.ts';

const INT_MIN = -(2n ** 31n);
const INT_MAX = 2n ** 31n - 1n;
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/**
 * Adds as MongoDB does: with a double the sum is a double, with a long a long; two ints give an int, or a long where it does not fit.
 *
 * @returns undefined where the sum does not fit a long
 */
export function add(a: Num, b: Num): Num | undefined {
  const kinds = [kindOf(a), kindOf(b)];
  if (kinds.includes('double')) return new Double(Number(a) + Number(b));
  const sum = integerOf(a) + integerOf(b);
  if (!kinds.includes('long') && sum >= INT_MIN && sum <= INT_MAX) return new Int32(Number(sum));
  return sum >= LONG_MIN && sum <= LONG_MAX ? Long.fromBigInt(sum) : undefined;
}

const integerOf = (number: Num): bigint =>
  kindOf(number) === 'long' ? (number as Long).toBigInt() : BigInt(Number(number));
