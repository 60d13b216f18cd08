import { encodeKey, sameValue, TAGS } from '../bson/key-encoding.ts';
import type { Doc, Value } from '../bson/values.ts';
import {
  type Constraint,
  type Constraints,
  constraintsOf,
  intersect,
  type Range,
} from '../query/constraints.ts';
import type { Collection, Index } from './catalogue.ts';
import type { Direction, KeyField } from './index-keys.ts';

/** Keys from `low` (inclusive) to `high` (exclusive); without them, to the ends. */
export interface KeyRange {
  low: Buffer | undefined;
  high: Buffer | undefined;
}

/** How a command finds its documents. */
export interface Plan {
  /** Undefined: all documents, as they were stored. */
  index: Index | undefined;
  ranges: KeyRange[];
  reverse: boolean;
  /** The documents come in the order of the sort. */
  sorted: boolean;
  /** All that is found matches; nothing to test. */
  exact: boolean;
  /** A document may be found more than once. */
  repeats: boolean;
}

/** More lookups than this for one command and a scan is as good. */
const MAX_RANGES = 2000;

/** Counts the entries of a range, up to a limit: tells which of the terms of an `$all` is the rarest. */
export type Estimate = (index: Index, range: KeyRange, limit: number) => number;

export function planFor(collection: Collection, filter: Doc, sort: KeyField[], estimate: Estimate): Plan {
  const constraints = constraintsOf(filter);
  const scan: Plan = {
    index: undefined,
    ranges: [{ low: undefined, high: undefined }],
    reverse: false,
    sorted: sort.length === 0,
    exact: constraints.complete && constraints.list.length === 0,
    repeats: false,
  };
  let best = { plan: scan, score: 0 };
  for (const index of collection.indexes) {
    if (!index.ready || !covers(index, filter)) continue;
    const candidate = planWith(index, constraints, sort, estimate);
    if (candidate && candidate.score > best.score) best = candidate;
  }
  return best.plan;
}

/** A partial index serves a filter that states each of its conditions word by word. */
function covers(index: Index, filter: Doc): boolean {
  if (!index.partial) return true;
  return Object.entries(index.partial.filter).every(
    ([path, operand]) => Object.hasOwn(filter, path) && sameValue(filter[path] as Value, operand),
  );
}

/** What is demanded of one field of an index. */
interface FieldBounds {
  spans: Span[];
  isPoint: boolean;
  used: Constraint[];
}

interface Span {
  low: Buffer;
  high: Buffer | undefined;
}

function planWith(
  index: Index,
  constraints: Constraints,
  sort: KeyField[],
  estimate: Estimate,
): { plan: Plan; score: number } | undefined {
  const bounds: FieldBounds[] = [];
  let prefixes: Buffer[] = [Buffer.alloc(0)];
  let ranges: KeyRange[] | undefined;
  for (const [i, field] of index.fields.entries()) {
    if (sharesArray(index, bounds.length, field)) break;
    const found = boundsOf(index, field, constraints.list, i === bounds.length ? prefixes : [], estimate);
    if (!found || found.spans.length * prefixes.length > MAX_RANGES) break;
    bounds.push(found);
    ranges = prefixes.flatMap((prefix) => found.spans.map((span) => under(prefix, span)));
    if (!isPoints(found)) break;
    prefixes = prefixes.flatMap((prefix) => found.spans.map(({ low }) => Buffer.concat([prefix, low])));
  }
  const order = orderOf(index, bounds, sort);
  if (!ranges && !order) return undefined;
  const used = new Set(bounds.flatMap((bound) => bound.used));
  const sortedRanges = (ranges ?? [{ low: undefined, high: undefined }]).sort((a, b) =>
    Buffer.compare(a.low ?? Buffer.alloc(0), b.low ?? Buffer.alloc(0)),
  );
  const reverse = order?.reverse ?? false;
  const plan: Plan = {
    index,
    ranges: reverse ? sortedRanges.reverse() : sortedRanges,
    reverse,
    sorted: sort.length === 0 || order !== undefined,
    exact:
      constraints.complete &&
      constraints.list.every((constraint) => constraint.exact && used.has(constraint)),
    repeats: mayRepeat(index, bounds),
  };
  return { plan, score: scoreOf(bounds, plan, sort) };
}

const isPoints = ({ used }: FieldBounds) => used.every(({ wanted }) => 'points' in wanted);

/** Two paths into one array: their conditions may be met by different elements, so only one bounds the scan. */
function sharesArray(index: Index, count: number, field: KeyField): boolean {
  if (!index.arrayPaths.has(field.path)) return false;
  return index.fields
    .slice(0, count)
    .some((other) => index.arrayPaths.has(other.path) && other.parts[0] === field.parts[0]);
}

function boundsOf(
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
  const spans = points.map((value) => spanOf(turned(encodeKey(value), direction)));
  return { spans, isPoint: points.length === 1, used: [constraint] };
}

const spanOf = (prefix: Buffer): Span => ({ low: prefix, high: successor(prefix) });

const FIRST_PROBE = 64;
const LAST_PROBE = 65_536;

/** Of several values that must all be there, the one with the fewest entries. */
function rarest(
  index: Index,
  field: KeyField,
  points: Constraint[],
  prefixes: Buffer[],
  estimate: Estimate,
): Constraint {
  const fewest = Math.min(...points.map(({ wanted }) => (wanted as { points: Value[] }).points.length));
  const candidates = points.filter(({ wanted }) => (wanted as { points: Value[] }).points.length === fewest);
  const [prefix] = prefixes;
  const first = candidates[0] as Constraint;
  if (candidates.length === 1 || fewest !== 1 || prefixes.length !== 1 || !prefix) return first;
  for (let limit = FIRST_PROBE; limit <= LAST_PROBE; limit *= 4) {
    for (const candidate of candidates) {
      const { points: values } = candidate.wanted as { points: Value[] };
      const span = spanOf(turned(encodeKey(values[0] as Value), field.direction));
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

function under(prefix: Buffer, { low, high }: Span): KeyRange {
  return {
    low: Buffer.concat([prefix, low]),
    high: high ? Buffer.concat([prefix, high]) : successor(prefix),
  };
}

/** Whether the index runs in the order of the sort (or backwards), beside what is fixed to one value. */
function orderOf(index: Index, bounds: FieldBounds[], sort: KeyField[]): { reverse: boolean } | undefined {
  if (sort.length === 0) return undefined;
  const isFixed = (i: number) => bounds[i]?.isPoint === true;
  const fixedPaths = new Set(
    index.fields
      .filter((field, i) => isFixed(i) && !index.arrayPaths.has(field.path))
      .map(({ path }) => path),
  );
  let at = 0;
  let reverse: boolean | undefined;
  for (const wanted of sort) {
    if (fixedPaths.has(wanted.path)) continue;
    while (isFixed(at)) at++;
    const field = index.fields[at];
    if (!field || field.path !== wanted.path || index.arrayPaths.has(field.path)) return undefined;
    const turnedHere = field.direction !== wanted.direction;
    if (reverse !== undefined && reverse !== turnedHere) return undefined;
    reverse = turnedHere;
    at++;
  }
  return { reverse: reverse ?? false };
}

function mayRepeat(index: Index, bounds: FieldBounds[]): boolean {
  return index.fields.some((field, i) => index.arrayPaths.has(field.path) && !bounds[i]?.isPoint);
}

function scoreOf(bounds: FieldBounds[], plan: Plan, sort: KeyField[]): number {
  const perField = bounds.map((bound) => (bound.isPoint ? 10 : isPoints(bound) ? 7 : 4));
  const order = sort.length > 0 && plan.sorted ? 3 : 0;
  const bounded = perField.reduce((sum, score) => sum + score, 0);
  const idLookup = plan.index?.id === 0 && bounds[0]?.isPoint ? 100 : 0;
  const unique =
    plan.index?.unique && bounds.length === plan.index.fields.length && bounds.every(({ isPoint }) => isPoint)
      ? 50
      : 0;
  return bounded + order + idLookup + unique + (plan.exact ? 1 : 0) - (plan.repeats ? 1 : 0);
}
