import { EMPTY_ARRAY, encodeCompound, encodeEach, type KeyPart } from '../bson/key-encoding.ts';
import { shellText } from '../bson/shell-text.ts';
import { type Doc, fieldOf, isDoc, isNum, type Value } from '../bson/values.ts';
import { badValue, StoreError, unsupported } from '../errors.ts';
import { fieldPath } from '../query/field-path.ts';

export type Direction = 1 | -1;

/** A path and its direction in an index or a sort. */
export interface KeyField {
  path: string;
  parts: readonly string[];
  direction: Direction;
}

export function parseSort(spec: Doc): KeyField[] {
  return Object.entries(spec).map(([path, direction]) => {
    if (path === '$natural') throw unsupported('a sort by $natural');
    if (isDoc(direction)) throw unsupported(`a sort by ${Object.keys(direction)[0] ?? '{}'}`);
    if (!isNum(direction))
      throw new StoreError(15974, `Illegal key in $sort specification: ${path}: ${shellText(direction)}`);
    const number = Math.trunc(Number(direction));
    if (number !== 1 && number !== -1)
      throw new StoreError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    const field = keyField(path, number);
    if (field.parts.some((part, i) => i > 0 && /^\d+$/.test(part)))
      throw unsupported(`the array index in '${path}'`);
    return field;
  });
}

export const keyField = (path: string, direction: Direction): KeyField => ({
  path,
  parts: fieldPath(path),
  direction,
});

interface DocKeys {
  /** In ascending order. */
  keys: Buffer[];
  arrayPaths: string[];
}

/**
 * The distinct keys of a document: one for each element of the array on its paths. A missing field is null; an empty array sorts before null.
 *
 * @throws StoreError 171 CannotIndexParallelArrays for two independent arrays
 */
export function keysOf(doc: Doc, fields: readonly KeyField[]): DocKeys {
  const directions = fields.map(({ direction }) => direction);
  const arrived = fields.map(startOf(doc)).map(walkToArray);
  const one = onlyWholeArray(arrived);
  if (one) {
    const keys = encodeEach(arrived.map(partOf), directions, one.at, one.elements);
    return { keys: distinct(keys), arrayPaths: [one.path] };
  }
  const arrayPaths = new Set<string>();
  const tuples = expand(arrived, arrayPaths);
  const keys = tuples.map((tuple) => encodeCompound(tuple, directions));
  return { keys: keys.length > 1 ? distinct(keys) : keys, arrayPaths: [...arrayPaths] };
}

/** The array with several elements at the end of one path, if no other path leads into an array: by far the most frequent case. */
function onlyWholeArray(arrived: readonly Walk[]) {
  const at = arrived.findIndex((walk) => Array.isArray(walk.at));
  const walk = arrived[at];
  if (!walk || walk.rest.length > 0 || (walk.at as Value[]).length < 2) return undefined;
  if (arrived.some((other, i) => i !== at && Array.isArray(other.at))) return undefined;
  return { at, elements: walk.at as Value[], path: walk.path };
}

/** The values of one of a document's keys, for the error about a duplicate. */
export function keyValueOf(doc: Doc, fields: readonly KeyField[], key: Buffer): Doc {
  const directions = fields.map(({ direction }) => direction);
  const tuples = expand(fields.map(startOf(doc)), new Set());
  const tuple = tuples.find((parts) => encodeCompound(parts, directions).equals(key)) ?? [];
  return Object.fromEntries(
    fields.map(({ path }, i) => [
      path,
      tuple[i] === EMPTY_ARRAY ? null : ((tuple[i] as Value | undefined) ?? null),
    ]),
  );
}

const startOf =
  (doc: Doc) =>
  ({ parts, path }: KeyField): Walk => ({ at: doc, rest: parts, path });

/** The key that a document is sorted by: the smallest of its keys, as their bytes already reflect the directions. */
export function sortKeyOf(doc: Doc, fields: readonly KeyField[]): Buffer {
  try {
    return keysOf(doc, fields).keys[0] as Buffer;
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 171) throw error;
    throw badValue('cannot sort with keys that are parallel arrays');
  }
}

function distinct(keys: Buffer[]): Buffer[] {
  const sorted = keys.sort(Buffer.compare);
  return sorted.filter((key, i) => i === 0 || !key.equals(sorted[i - 1] as Buffer));
}

/** A path that is being followed: the value reached so far and the remaining parts. */
interface Walk {
  at: Value | undefined;
  rest: readonly string[];
  path: string;
}

function expand(walks: Walk[], arrayPaths: Set<string>): KeyPart[][] {
  const arrived = walks.map(walkToArray);
  const arrays = new Set(arrived.filter(({ at }) => Array.isArray(at)).map(({ at }) => at as Value[]));
  if (arrays.size === 0) return [arrived.map(partOf)];
  if (arrays.size > 1) refuseParallel(arrived);
  const [array] = arrays as Set<Value[]>;
  const elements = array as Value[];
  for (const { at, path } of arrived) if (at === array) arrayPaths.add(path);
  if (elements.length === 0) return [arrived.map((walk) => emptyArrayPart(walk, elements))];
  return elements.flatMap((element) => expandElement(arrived, elements, element, arrayPaths));
}

/** The keys of one element. An element at the end of a path is its value, even if it is an array: `settled` has these. */
function expandElement(arrived: Walk[], array: Value[], element: Value, arrayPaths: Set<string>) {
  const settled = new Map<number, Value>();
  const walks = arrived.map((walk, i): Walk => {
    if (walk.at !== array) return walk;
    if (walk.rest.length > 0) return { ...walk, at: isDoc(element) ? element : undefined };
    settled.set(i, element);
    return { ...walk, at: null };
  });
  const tuples = expand(walks, arrayPaths);
  for (const tuple of tuples) for (const [i, value] of settled) tuple[i] = value;
  return tuples;
}

/** A path that could not be followed to its end has no value. */
const partOf = ({ at, rest }: Walk): KeyPart => (rest.length === 0 ? (at ?? null) : null);

function walkToArray(walk: Walk): Walk {
  let { at, rest } = walk;
  while (rest.length > 0 && isDoc(at)) {
    at = fieldOf(at, rest[0] as string);
    rest = rest.slice(1);
  }
  if (rest.length > 0 && !Array.isArray(at)) return { ...walk, at: undefined, rest };
  return { ...walk, at, rest };
}

function emptyArrayPart({ at, rest }: Walk, array: Value[]): KeyPart {
  if (at === array) return rest.length === 0 ? EMPTY_ARRAY : null;
  return rest.length === 0 ? ((at as Value | undefined) ?? null) : null;
}

function refuseParallel(arrived: Walk[]): never {
  const [first, second] = arrived.filter(({ at }) => Array.isArray(at)).map(({ path }) => path);
  throw new StoreError(171, `cannot index parallel arrays [${second}] [${first}]`);
}
