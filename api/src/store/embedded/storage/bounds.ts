import { encodeKey, TAGS } from '../bson/key-encoding.ts';
import type { Value } from '../bson/values.ts';
import { type Constraint, intersect, type Range } from '../query/constraints.ts';
import type { Index } from './catalogue.ts';
import type { Direction, KeyField } from './index-keys.ts';

/** Keys from `low` (inclusive) to `high` (exclusive); without them, to the ends. */
export interface KeyRange {
  low: Buffer | undefined;
  high: Buffer | undefined;
}

/** Counts the entries of a range, up to a limit: tells which of the terms of an `$all` is the rarest. */
export type Estimate = (index: Index, range: KeyRange, limit: number) => number;

/** What is demanded of one field of an index. */
export interface FieldBounds {
  spans: Span[];
  isPoint: boolean;
  used: Constraint[];
}

export interface Span {
  low: Buffer;
  high: Buffer | undefined;
}

export const isPoints = ({ used }: FieldBounds) => used.every(({ wanted }) => 'points' in wanted);

/** The bounds that a filter's constraints set to one field; undefined where they set none. */
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

/** A value in a key of an index. */
export const pointKey = (value: Value, direction: Direction) => turned(encodeKey(value), direction);

const spanOf = (prefix: Buffer): Span => ({ low: prefix, high: successor(prefix) });

const FIRST_PROBE = 64;
const LAST_PROBE = 16_384;
/** Values looked at beyond the first, so that planning stays short. */
const MOST_CANDIDATES = 64;

/** Of several values that must all be there, the one with the fewest entries. */
function rarest(
  index: Index,
  field: KeyField,
  points: Constraint[],
  prefixes: Buffer[],
  estimate: Estimate,
): Constraint {
  const fewest = points.reduce(
    (least, { wanted }) => Math.min(least, (wanted as { points: Value[] }).points.length),
    Number.POSITIVE_INFINITY,
  );
  const candidates = points
    .filter(({ wanted }) => (wanted as { points: Value[] }).points.length === fewest)
    .slice(0, MOST_CANDIDATES);
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

/** Numbers begin after NaN, which no comparison but equality meets. */
const AFTER_NAN = Buffer.from([TAGS.double, 0, 0, 0, 0, 0, 0, 0, 1]);

function rangeBounds({ kind, low, high }: Range, used: Constraint[], field: KeyField): FieldBounds {
  const tag = Buffer.from([TAGS[kind]]);
  const start = low ? edge(low.value, !low.inclusive) : TAGS[kind] === TAGS.double ? AFTER_NAN : tag;
  const end = high ? edge(high.value, high.inclusive) : (successor(tag) as Buffer);
  const span = field.direction === 1 ? { low: start, high: end } : turnedSpan(low, high, kind);
  return { spans: [span], isPoint: false, used };
}

/** Downwards the high bound comes first. */
function turnedSpan(low: Range['low'], high: Range['high'], kind: Range['kind']): Span {
  const tag = Buffer.from([TAGS[kind]]);
  const first = turned(high ? encodeKey(high.value) : tag, -1);
  const last = turned(low ? encodeKey(low.value) : tag, -1);
  const isNumber = TAGS[kind] === TAGS.double;
  const nan = turned(Buffer.from([TAGS.double, 0, 0, 0, 0, 0, 0, 0, 0]), -1);
  return {
    low: high && !high.inclusive ? (successor(first) as Buffer) : first,
    high: low && !low.inclusive ? last : !low && isNumber ? nan : successor(last),
  };
}

const edge = (value: Value, after: boolean): Buffer => {
  const key = encodeKey(value);
  return after ? (successor(key) as Buffer) : key;
};

const turned = (key: Buffer, direction: Direction) =>
  direction === 1 ? key : Buffer.from(key.map((byte) => 0xff - byte));

/** The first bytes after all that begin with these; undefined where there are none. */
export function successor(prefix: Buffer): Buffer | undefined {
  let end = prefix.length;
  while (end > 0 && prefix[end - 1] === 0xff) end--;
  if (end === 0) return undefined;
  const next = Buffer.from(prefix.subarray(0, end));
  next[end - 1] = (next[end - 1] as number) + 1;
  return next;
}

/** A field's span behind the keys of the fields before it. */
export function under(prefix: Buffer, { low, high }: Span): KeyRange {
  return {
    low: Buffer.concat([prefix, low]),
    high: high ? Buffer.concat([prefix, high]) : successor(prefix),
  };
}
