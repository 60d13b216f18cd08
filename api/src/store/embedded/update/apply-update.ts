import { sameValue } from '../bson/key-encoding.ts';
import { shellText } from '../bson/shell-text.ts';
import { type Doc, fieldOf, isDoc, type Value } from '../bson/values.ts';
import { badValue, StoreError, unsupported } from '../errors.ts';
import { UPDATE_OPERATORS, type UpdateOperator } from './operators.ts';
import type { Change } from './parse-update.ts';

/**
 * Applies an update to a document, in place.
 *
 * @param inserting the document is about to be inserted by an upsert, so `$setOnInsert` applies
 */
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
