import { ApiError, notFound } from '../../errors/errors.ts';
import type { Composition } from './composition.ts';
import type { CompositionStore } from './composition-store.ts';

/** A composition id or its first digits. */
const compositionPrefix = /^[0-9a-f]{6,64}$/;

/**
 * The only composition whose id begins with `digits`.
 * @throws notFound if there is none or the format is wrong; ambiguous_composition if there are several.
 */
export async function findComposition(
  { compositions }: Pick<CompositionStore, 'compositions'>,
  prefix: string,
): Promise<Composition> {
  const digits = prefix.toLowerCase();
  if (!compositionPrefix.test(digits)) throw notFound('composition');
  // 'g' sorts directly after the last hex digit.
  const range = digits.length === 64 ? digits : { $gte: digits, $lt: `${digits}g` };
  const [found, other] = await compositions.find({ _id: range }).limit(2).lean<Composition[]>();
  if (!found) throw notFound('composition');
  if (other) throw new ApiError('ambiguous_composition');
  return found;
}
