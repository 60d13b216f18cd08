import { sameValue } from '../bson/key-encoding.ts';
import { type Doc, fieldOf, isDoc, kindOf, type Value } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { isOperators } from '../query/matcher.ts';
import { applyUpdate } from './apply-update.ts';
import type { Update } from './parse-update.ts';
import type { Positions } from './positional.ts';

/** The document that an upsert inserts: the filter's equalities, then the update. */
export function upserted(filter: Doc, update: Update, positions: Positions): Doc {
  const equalities = equalitiesOf(filter);
  refuseTwice(equalities);
  if ('replacement' in update) {
    const id = equalities.find(([path]) => path === '_id')?.[1];
    return applyUpdate(id === undefined ? {} : { _id: id }, update, positions, true);
  }
  const seed: Doc = {};
  for (const [path, value] of equalities) plant(seed, path, value);
  return applyUpdate(seed, update, { ...positions, filter: {} }, true);
}

type Equality = [path: string, value: Value];

function equalitiesOf(filter: Doc): Equality[] {
  return Object.entries(filter).flatMap(([path, operand]): Equality[] => {
    if (path === '$and') return (operand as Doc[]).flatMap(equalitiesOf);
    if (path === '$or')
      return (operand as Doc[]).length === 1 ? equalitiesOf((operand as Doc[])[0] as Doc) : [];
    if (path.startsWith('$')) return [];
    const value = equalTo(operand);
    return value === undefined ? [] : [[path, value]];
  });
}

function equalTo(operand: Value): Value | undefined {
  if (!isOperators(operand)) return kindOf(operand) === 'regex' ? undefined : operand;
  const exact = fieldOf(operand, '$eq');
  if (exact !== undefined) return exact;
  const list = fieldOf(operand, '$in') ?? fieldOf(operand, '$all');
  const [only, ...others] = Array.isArray(list) ? list : [];
  if (only === undefined || others.length > 0 || kindOf(only) === 'regex' || isOperators(only))
    return undefined;
  return only;
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
  let at = doc;
  for (const part of parts) {
    const inner = fieldOf(at, part);
    const next: Doc = isDoc(inner) ? inner : {};
    at[part] = next;
    at = next;
  }
  const known = fieldOf(at, last);
  if (known === undefined || !sameValue(known, value)) at[last] = value;
}
