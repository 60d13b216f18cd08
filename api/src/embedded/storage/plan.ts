import { sameValue } from '../bson/key-encoding.ts';
import type { Doc, Value } from '../bson/values.ts';
import { type Constraints, constraintsOf } from '../query/constraints.ts';
import { boundsOf, type Estimate, type FieldBounds, isPoints, type KeyRange, under } from './bounds.ts';
import type { Collection, Index } from './catalogue.ts';
import type { KeyField } from './index-keys.ts';

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

/** Two paths into one array: their conditions may be met by different elements, so only one bounds the scan. */
function sharesArray(index: Index, count: number, field: KeyField): boolean {
  if (!index.arrayPaths.has(field.path)) return false;
  return index.fields
    .slice(0, count)
    .some((other) => index.arrayPaths.has(other.path) && other.parts[0] === field.parts[0]);
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
