import { type Doc, fieldOf, isDoc, type Value } from '../bson/values.ts';

/** How a query looks at an array at the end of its path: at each element and the whole, or at the whole. */
export type LeafArrays = 'elements' | 'whole';

/**
 * Whether `see` says yes to one of the values that a query path reaches in a document. A path that ends
 * nowhere is seen as `undefined`, except behind an array, whose scalars and missing fields are passed over.
 * Source: MongoDB's BSONElementIterator (src/mongo/db/matcher/path.cpp).
 */
export function someAt(
  doc: Value | undefined,
  path: readonly string[],
  leaf: LeafArrays,
  see: (value: Value | undefined) => boolean,
): boolean {
  let value = doc;
  let depth = 0;
  while (depth < path.length && isDoc(value)) value = fieldOf(value, path[depth++] as string);
  if (!Array.isArray(value)) return see(depth === path.length ? value : undefined);
  const rest = path.slice(depth);
  if (rest.length > 0) return value.some((element, i) => someBehindElement(element, i, rest, leaf, see));
  return (leaf === 'elements' && value.some(see)) || see(value);
}

function someBehindElement(
  element: Value,
  index: number,
  path: readonly string[],
  leaf: LeafArrays,
  see: (value: Value | undefined) => boolean,
): boolean {
  if (isDoc(element) && someAt(element, path, leaf, see)) return true;
  if (path[0] !== String(index)) return false;
  const rest = path.slice(1);
  if (rest.length === 0) return see(element);
  if (isDoc(element)) return someAt(element, rest, leaf, see);
  return Array.isArray(element) && element.some((inner, i) => someBehindElement(inner, i, rest, leaf, see));
}

/** An array as MongoDB's $elemMatch sees it: a document with its indexes as names. */
export const arrayAsDoc = (array: Value[]): Doc => Object.fromEntries(array.map((value, i) => [i, value]));
