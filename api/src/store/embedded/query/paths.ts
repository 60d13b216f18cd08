import { type Doc, fieldOf, isDoc, type Value } from '../bson/values.ts';

/** What a test gets of an array at the end of a path: each element and the whole array, or the whole array only. */
export type LeafArrays = 'elements' | 'whole';

/**
 * Whether `test` accepts one of the values at a path of a document. A missing value is `undefined`, except within an array: elements that
 * are no documents are skipped there. Source: MongoDB's BSONElementIterator (src/mongo/db/matcher/path.cpp).
 */
export function someAt(
  doc: Doc,
  path: readonly string[],
  arrays: LeafArrays,
  test: (value: Value | undefined) => boolean,
): boolean {
  let value: Value | undefined = doc;
  let depth = 0;
  while (depth < path.length && isDoc(value)) value = fieldOf(value, path[depth++] as string);
  if (!Array.isArray(value)) return test(depth === path.length ? value : undefined);
  const rest = path.slice(depth);
  if (rest.length > 0) return value.some((element) => isDoc(element) && someAt(element, rest, arrays, test));
  return (arrays === 'elements' && value.some(test)) || test(value);
}
