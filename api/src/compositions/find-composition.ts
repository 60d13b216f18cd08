import { ambiguousComposition, notFound } from '../contract/errors.ts';
import type { Composition } from './composition.ts';
import type { CompositionStore } from './composition-store.ts';

/** An id of a composition, or its first digits. */
export const compositionPrefix = /^[0-9a-f]{6,64}$/;

/**
 * The one composition whose id begins so.
 *
 * @throws notFound without one, or for what is no such id; ambiguousComposition with several.
 */
export async function findComposition(
  { compositions }: Pick<CompositionStore, 'compositions'>,
  prefix: string,
): Promise<Composition> {
  const digits = prefix.toLowerCase();
  if (!compositionPrefix.test(digits)) throw notFound('composition');
  // 'g' comes right after the last digit.
  const range = digits.length === 64 ? digits : { $gte: digits, $lt: `${digits}g` };
  const [found, other] = await compositions.find({ _id: range }).limit(2).lean<Composition[]>();
  if (!found) throw notFound('composition');
  if (other) throw ambiguousComposition();
  return found;
}
