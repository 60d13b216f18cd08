import { sameValue } from '../bson/key-encoding.ts';
import type { Doc, Value } from '../bson/values.ts';
import { type Constraint, type Constraints, constraintsOf } from '../query/constraints.ts';
import {
  boundsOf,
  type Estimate,
  type FieldBounds,
  isPoints,
  type KeyRange,
  pointKey,
  under,
} from './bounds.ts';
import type { Collection, Index } from './catalogue.ts';
import type { KeyField } from './index-keys.ts';

/** How the documents of a query are found. */
export interface Plan {
  /** Undefined for a scan of the collection. */
  index: Index | undefined;
  ranges: KeyRange[];
  reverse: boolean;
  sorted: boolean;
  /** All documents found match, so they need not be tested. */
  exact: boolean;
  /** A document may be found more than once. */
  repeats: boolean;
  /** Further values that the array of the index must have. */
  probes: Probe[];
}

/**
 * Another value that a document must have in the array of an index. Its key is `prefix`, followed by the key of the entry that was read from
 * position `from` on, so one look-up in the index decides.
 */
export interface Probe {
  prefix: Buffer;
  from: number;
}

interface Candidate {
  plan: Plan;
  /** The constraints that it meets without reading documents. */
  used: ReadonlySet<Constraint>;
  score: number;
}

/** With more look-ups for one query a scan is as fast. */
const MAX_RANGES = 2000;

export function planFor(collection: Collection, filter: Doc, sort: KeyField[], estimate: Estimate): Plan {
  const constraints = constraintsOf(filter);
  const scan: Plan = {
    index: undefined,
    ranges: [{ low: undefined, high: undefined }],
    reverse: false,
    sorted: sort.length === 0,
    exact: constraints.complete && constraints.list.length === 0,
    repeats: false,
    probes: [],
  };
  const candidates = collection.indexes
    .filter((index) => index.ready && covers(index, filter))
    .map((index) => planWith(index, constraints, sort, estimate))
    .filter((candidate) => candidate !== undefined)
    .sort((a, b) => b.score - a.score);
  return candidates.length === 0 ? scan : smallest(candidates, estimate).plan;
}

/** Where indexes serve different parts of a filter, the one with the fewest entries, if counting a limited number decides that. */
function smallest(candidates: Candidate[], estimate: Estimate): Candidate {
  const best = candidates[0] as Candidate;
  const others = candidates.filter(
    ({ plan, used, score }) =>
      score >= best.score - SIMILAR && plan.sorted === best.plan.sorted && !isSubset(used, best.used),
  );
  if (others.length === 0 || best.score >= UNIQUE) return best;
  for (let limit = FIRST_COUNT; limit <= LAST_COUNT; limit *= 8) {
    for (const candidate of [best, ...others]) {
      const { index, ranges } = candidate.plan;
      if (!index || ranges.length > MAX_RANGES_COUNTED) continue;
      let entries = 0;
      for (const range of ranges) if (entries < limit) entries += estimate(index, range, limit - entries);
      if (entries < limit) return candidate;
    }
  }
  return best;
}

const isSubset = (set: ReadonlySet<unknown>, of: ReadonlySet<unknown>) =>
  [...set].every((item) => of.has(item));

/** Scores that differ by less are decided by counting entries. */
const SIMILAR = 10;
const FIRST_COUNT = 64;
const LAST_COUNT = 4096;
const MAX_RANGES_COUNTED = 16;

/** A partial index can be used for a filter that contains each of its conditions literally. */
function covers(index: Index, filter: Doc): boolean {
  if (!index.partial) return true;
  return Object.entries(index.partial.filter).every(
    ([path, operand]) => Object.hasOwn(filter, path) && sameValue(filter[path] as Value, operand),
  );
}

function planWith(index: Index, constraints: Constraints, sort: KeyField[], estimate: Estimate) {
  const bounds: FieldBounds[] = [];
  let prefixes: Buffer[] = [Buffer.alloc(0)];
  let ranges: KeyRange[] | undefined;
  let probing: { probes: Probe[]; probed: Constraint[] } = { probes: [], probed: [] };
  for (const [i, field] of index.fields.entries()) {
    if (sharesArray(index, bounds.length, field)) break;
    const found = boundsOf(index, field, constraints.list, i === bounds.length ? prefixes : [], estimate);
    if (!found || found.spans.length * prefixes.length > MAX_RANGES) break;
    bounds.push(found);
    ranges = prefixes.flatMap((prefix) => found.spans.map((span) => under(prefix, span)));
    if (!isPoints(found)) break;
    if (prefixes.length === 1 && probing.probes.length === 0)
      probing = probesOf(index, field, constraints.list, found, prefixes[0] as Buffer);
    prefixes = prefixes.flatMap((prefix) => found.spans.map(({ low }) => Buffer.concat([prefix, low])));
  }
  const order = orderOf(index, bounds, sort);
  if (!ranges && !order) return undefined;
  const used = new Set([...bounds.flatMap((bound) => bound.used), ...probing.probed]);
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
    probes: probing.probes,
  };
  return { plan, used, score: scoreOf(bounds, plan, sort) };
}

/** A limit of the length of the SQL; further values are tested on the documents. */
const MAX_PROBES = 30;

/** An entry differs in the array's value alone if no other field of the index leads into an array. */
function probesOf(
  index: Index,
  field: KeyField,
  constraints: Constraint[],
  { used, spans, isPoint }: FieldBounds,
  prefix: Buffer,
): { probes: Probe[]; probed: Constraint[] } {
  const isOnlyArray = index.arrayPaths.size === 1 && index.arrayPaths.has(field.path);
  if (!isPoint || !isOnlyArray) return { probes: [], probed: [] };
  const from = prefix.length + (spans[0]?.low.length ?? 0);
  const probed = constraints
    .filter((other) => other.path === field.path && !used.includes(other) && other.exact && isOnePoint(other))
    .slice(0, MAX_PROBES);
  const probes = probed.map(({ wanted }) => {
    const [value] = (wanted as { points: Value[] }).points;
    return { prefix: Buffer.concat([prefix, pointKey(value as Value, field.direction)]), from };
  });
  return { probes, probed };
}

const isOnePoint = ({ wanted }: Constraint) => 'points' in wanted && wanted.points.length === 1;

/** Whether an earlier field leads into the same array: different elements may meet the two conditions, so only one can bound the scan. */
function sharesArray(index: Index, count: number, field: KeyField): boolean {
  if (!index.arrayPaths.has(field.path)) return false;
  return index.fields
    .slice(0, count)
    .some((other) => index.arrayPaths.has(other.path) && other.parts[0] === field.parts[0]);
}

/** Whether the index has the order of the sort, or its reverse, apart from fields with one fixed value. */
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
    const isReverse = field.direction !== wanted.direction;
    if (reverse !== undefined && reverse !== isReverse) return undefined;
    reverse = isReverse;
    at++;
  }
  return { reverse: reverse ?? false };
}

function mayRepeat(index: Index, bounds: FieldBounds[]): boolean {
  return index.fields.some((field, i) => index.arrayPaths.has(field.path) && !bounds[i]?.isPoint);
}

const isArrayField = (index: Index | undefined, i: number) =>
  index?.arrayPaths.has(index.fields[i]?.path ?? '') ?? false;

/** Score of a look-up in a unique index, which finds at most one entry for each value. */
const UNIQUE = 50;

function scoreOf(bounds: FieldBounds[], plan: Plan, sort: KeyField[]): number {
  const perField = bounds.map((bound) => (bound.isPoint ? 10 : isPoints(bound) ? 7 : 4));
  const order = sort.length > 0 && plan.sorted ? 3 : 0;
  // A value in an array is usually rarer than a value of a scalar field.
  const element = bounds.some(({ isPoint }, i) => isPoint && isArrayField(plan.index, i)) ? 2 : 0;
  const bounded = perField.reduce((sum, score) => sum + score, 0);
  const idLookup = plan.index?.id === 0 && bounds[0]?.isPoint ? 100 : 0;
  const isLookUp = plan.index?.unique && bounds.length === plan.index.fields.length && bounds.every(isPoints);
  const unique = isLookUp ? UNIQUE : 0;
  return bounded + order + element + idLookup + unique + (plan.exact ? 1 : 0) - (plan.repeats ? 1 : 0);
}
