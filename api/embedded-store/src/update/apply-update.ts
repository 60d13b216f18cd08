import { sameValue } from '../bson/key-encoding.ts';
import { shellText } from '../bson/shell-text.ts';
import { type Doc, fieldOf, isDoc, type Value } from '../bson/values.ts';
import { badValue, StoreError, unsupported } from '../errors.ts';
import { isOperators } from '../query/matcher.ts';
import { UPDATE_OPERATORS, type UpdateOperator } from './operators.ts';
import type { Change } from './parse-update.ts';

/** Changes `doc`. @param inserting for an upsert that inserts, so that `$setOnInsert` applies */
export function applyUpdate(doc: Doc, changes: readonly Change[], inserting: boolean): void {
  const id = fieldOf(doc, '_id');
  for (const change of changes) applyChange(doc, change, inserting);
  const newId = fieldOf(doc, '_id');
  if (id === undefined || (newId !== undefined && sameValue(id, newId))) return;
  throw new StoreError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
}

function applyChange(doc: Doc, { operator: name, path, operand }: Change, inserting: boolean): void {
  const operator = UPDATE_OPERATORS[name];
  if (!operator || (operator.insertOnly && !inserting)) return;
  const holder = holderOf(doc, path, operator);
  if (!holder) return;
  const field = path.at(-1) as string;
  const current = fieldOf(holder, field);
  const next = operator.apply(current, operand, { path: path.join('.'), id: fieldOf(doc, '_id') });
  if (next === undefined) delete holder[field];
  else write(holder, field, next, path);
}

/**
 * The document that holds the last field of a path, created if the operator creates missing paths.
 *
 * @returns undefined where nothing is to be changed
 * @throws StoreError 28 PathNotViable for a path through a scalar or an array
 */
function holderOf(doc: Doc, path: readonly string[], { missingPath }: UpdateOperator): Doc | undefined {
  let holder = doc;
  for (const [i, part] of path.slice(0, -1).entries()) {
    const next = path[i + 1] as string;
    let inner = fieldOf(holder, part);
    if (inner === undefined) {
      if (missingPath !== 'create') return undefined;
      inner = {};
      write(holder, part, inner, path);
    }
    if (Array.isArray(inner) && isIndex(next)) throw unsupported(`the array index in '${path.join('.')}'`);
    if (isDoc(inner)) holder = inner;
    else if (missingPath === 'ignore, also in scalars and arrays') return undefined;
    else throw new StoreError(28, `Cannot create field '${next}' in element {${part}: ${shellText(inner)}}`);
  }
  return holder;
}

const isIndex = (part: string) => /^(0|[1-9]\d*)$/.test(part);

function write(holder: Doc, name: string, value: Value, path: readonly string[]): void {
  const isFirstNumber = isIndex(name) && !Object.hasOwn(holder, name);
  if (isFirstNumber && Object.keys(holder).some((other) => isListedAfter(other, name))) {
    throw badValue(
      `'${path.join('.')}': the embedded store supports field names that are numbers in ascending order only`,
    );
  }
  holder[name] = value;
}

/** JavaScript lists a new numeric name before this one, MongoDB after it. */
const isListedAfter = (other: string, name: string) => !isIndex(other) || Number(other) > Number(name);

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
