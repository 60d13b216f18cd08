import { type Doc, fieldOf, type Value } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { isOperators } from '../query/matcher.ts';
import { applyUpdate } from './apply-update.ts';
import type { Change } from './parse-update.ts';

/** The document that an upsert inserts: the equalities of the filter, then the update. */
export function upserted(filter: Doc, changes: readonly Change[]): Doc {
  const equalities = equalitiesOf(filter);
  refuseTwice(equalities);
  const doc: Doc = {};
  for (const [path, value] of equalities) plant(doc, path, value);
  applyUpdate(doc, changes, true);
  return doc;
}

type Equality = [path: string, value: Value];

function equalitiesOf(filter: Doc): Equality[] {
  return Object.entries(filter).flatMap(([path, operand]): Equality[] => {
    const clauses = operand as Doc[];
    if (path === '$and' || (path === '$or' && clauses.length === 1)) return clauses.flatMap(equalitiesOf);
    if (path.startsWith('$')) return [];
    const value = equalTo(operand);
    return value === undefined ? [] : [[path, value]];
  });
}

/** The value of `$eq`, or the only one of `$in` or `$all`. */
function equalTo(operand: Value): Value | undefined {
  if (!isOperators(operand)) return operand;
  const exact = fieldOf(operand, '$eq');
  if (exact !== undefined) return exact;
  const list = fieldOf(operand, '$in') ?? fieldOf(operand, '$all');
  return Array.isArray(list) && list.length === 1 ? list[0] : undefined;
}

function refuseTwice(equalities: Equality[]): void {
  for (const [i, [path]] of equalities.entries()) {
    for (const [other] of equalities.slice(i + 1)) {
      if (other !== path && !other.startsWith(`${path}.`) && !path.startsWith(`${other}.`)) continue;
      throw new StoreError(54, `cannot infer query fields to set, path '${path}' is matched twice`);
    }
  }
}

function plant(doc: Doc, path: string, value: Value): void {
  const parts = path.split('.');
  const last = parts.pop() as string;
  let holder = doc;
  for (const part of parts) {
    const inner = (fieldOf(holder, part) ?? {}) as Doc;
    holder[part] = inner;
    holder = inner;
  }
  holder[last] = value;
}
