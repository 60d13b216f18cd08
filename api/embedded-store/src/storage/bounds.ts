import { encodeKey } from '../bson/key-encoding.ts';
import { TAGS, type Value } from '../bson/values.ts';
import { type Constraint, intersect, type Range } from '../query/constraints.ts';
import type { Index } from './catalogue.ts';
import type { Direction, KeyField } from './index-keys.ts';

/** Keys from `low` (inclusive) to `high` (exclusive); undefined for no bound. */
export interface KeyRange {
  low: Buffer | undefined;
  high: Buffer | undefined;
}

/** Counts the entries of a range, up to a limit. Finds the rarest of the values of an `$all`. */
export type Estimate = (index: Index, range: KeyRange, limit: number) => number;

export interface FieldBounds {
  spans: Span[];
  isPoint: boolean;
  used: Constraint[];
}

interface Span {
  low: Buffer;
  high: Buffer | undefined;
}

export const isPoints = ({ used }: FieldBounds) => used.every(({ wanted }) => 'points' in wanted);

/** The bounds of one field by the constraints of a filter; undefined if there are none. */
export function boundsOf(
  index: Index,
  field: KeyField,
  constraints: Constraint[],
  prefixes: Buffer[],
  estimate: Estimate,
): FieldBounds | undefined {
  const own = constraints.filter(({ path }) => path === field.path);
  const points = own.filter((constraint) => 'points' in constraint.wanted);
  if (points.length > 0)
    return pointBounds(rarest(index, field, points, prefixes, estimate), field.direction);
  const [first, ...others] = own;
  if (!first) return undefined;
  if (index.arrayPaths.has(field.path))
    return rangeBounds((first.wanted as { range: Range }).range, [first], field);
  const used = [first];
  let range = (first.wanted as { range: Range }).range;
  for (const other of others) {
    const both = intersect(range, (other.wanted as { range: Range }).range);
    if (!both) continue;
    range = both;
    used.push(other);
  }
  return rangeBounds(range, used, field);
}

function pointBounds(constraint: Constraint, direction: Direction): FieldBounds {
  const { points } = constraint.wanted as { points: Value[] };
  const spans = points.map((value) => spanOf(pointKey(value, direction)));
  return { spans, isPoint: points.length === 1, used: [constraint] };
}

/** The key of a value in an index field of this direction. */
export const pointKey = (value: Value, direction: Direction) => inverted(encodeKey(value), direction);

const spanOf = (prefix: Buffer): Span => ({ low: prefix, high: successor(prefix) });

const FIRST_PROBE = 64;
const LAST_PROBE = 16_384;
/** The values of which the rarest is searched; a limit of the time for planning. */
const MAX_CANDIDATES = 64;

/** Of several values that a document must have, the one with the fewest entries. */
function rarest(index: Index, field: KeyField, points: Constraint[], prefixes: Buffer[], estimate: Estimate) {
  const fewest = points.reduce(
    (least, { wanted }) => Math.min(least, (wanted as { points: Value[] }).points.length),
    Number.POSITIVE_INFINITY,
  );
  const candidates = points
    .filter(({ wanted }) => (wanted as { points: Value[] }).points.length === fewest)
    .slice(0, MAX_CANDIDATES);
  const [prefix] = prefixes;
  const first = candidates[0] as Constraint;
  if (candidates.length === 1 || fewest !== 1 || prefixes.length !== 1 || !prefix) return first;
  for (let limit = FIRST_PROBE; limit <= LAST_PROBE; limit *= 4) {
    for (const candidate of candidates) {
      const { points: values } = candidate.wanted as { points: Value[] };
      const span = spanOf(pointKey(values[0] as Value, field.direction));
      if (estimate(index, under(prefix, span), limit) < limit) return candidate;
    }
  }
  return first;
}

/** Ranges of numbers begin after NaN, which only equality matches. */
const AFTER_NAN = Buffer.from([TAGS.double, 0, 0, 0, 0, 0, 0, 0, 1]);

function rangeBounds({ kind, low, high }: Range, used: Constraint[], field: KeyField): FieldBounds {
  const tag = Buffer.from([TAGS[kind]]);
  const start = low ? edge(low.value, !low.inclusive) : TAGS[kind] === TAGS.double ? AFTER_NAN : tag;
  const end = high ? edge(high.value, high.inclusive) : (successor(tag) as Buffer);
  const span = field.direction === 1 ? { low: start, high: end } : invertedSpan(low, high, kind);
  return { spans: [span], isPoint: false, used };
}

/** In a descending field the high bound comes first. */
function invertedSpan(low: Range['low'], high: Range['high'], kind: Range['kind']): Span {
  const tag = Buffer.from([TAGS[kind]]);
  const first = inverted(high ? encodeKey(high.value) : tag, -1);
  const last = inverted(low ? encodeKey(low.value) : tag, -1);
  const isNumber = TAGS[kind] === TAGS.double;
  const nan = inverted(Buffer.from([TAGS.double, 0, 0, 0, 0, 0, 0, 0, 0]), -1);
  return {
    low: high && !high.inclusive ? (successor(first) as Buffer) : first,
    high: low && !low.inclusive ? last : !low && isNumber ? nan : successor(last),
  };
}

const edge = (value: Value, after: boolean): Buffer => {
  const key = encodeKey(value);
  return after ? (successor(key) as Buffer) : key;
};

const inverted = (key: Buffer, direction: Direction) =>
  direction === 1 ? key : Buffer.from(key.map((byte) => 0xff - byte));

/** The smallest key after all keys with this prefix; undefined if there is none. */
function successor(prefix: Buffer): Buffer | undefined {
  let end = prefix.length;
  while (end > 0 && prefix[end - 1] === 0xff) end--;
  if (end === 0) return undefined;
  const next = Buffer.from(prefix.subarray(0, end));
  next[end - 1] = (next[end - 1] as number) + 1;
  return next;
}

/** The range of a field's span in a compound key, after the keys of the fields before it. */
export function under(prefix: Buffer, { low, high }: Span): KeyRange {
  return {
    low: Buffer.concat([prefix, low]),
    high: high ? Buffer.concat([prefix, high]) : successor(prefix),
  };
}
