import { sameValue } from '../bson/key-encoding.ts';
import { shellText } from '../bson/shell-text.ts';
import { type Doc, fieldOf, isDoc, type Value } from '../bson/values.ts';
import { badValue, StoreError } from '../errors.ts';
import { applyOperator, TAKES_AWAY } from './operators.ts';
import { type Change, inOrder, refuseConflicts, type Update } from './parse-update.ts';
import { type Positions, resolvePath } from './positional.ts';

/**
 * The document after the update. `doc` is changed in place where the update has operators: hand over a copy.
 *
 * @param inserting the document is about to be inserted by an upsert, so `$setOnInsert` counts
 */
export function applyUpdate(doc: Doc, update: Update, positions: Positions, inserting: boolean): Doc {
  const id = fieldOf(doc, '_id');
  if ('replacement' in update) return replaced(id, update.replacement);
  const changes = update.changes
    .filter(({ operator }) => inserting || operator !== '$setOnInsert')
    .flatMap((change) => resolvePath(doc, change.path, positions).map((path) => ({ ...change, path })));
  refuseConflicts(changes.map(({ path }) => path));
  for (const change of inOrder(changes)) applyChange(doc, change);
  refuseNewId(id, doc);
  return doc;
}

function replaced(id: Value | undefined, replacement: Doc): Doc {
  const newId = fieldOf(replacement, '_id');
  if (id === undefined) return replacement;
  if (newId !== undefined && !sameValue(id, newId)) {
    throw new StoreError(
      66,
      `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${shellText(newId)}`,
    );
  }
  const { _id, ...others } = replacement;
  return { _id: id, ...others };
}

function refuseNewId(id: Value | undefined, doc: Doc): void {
  const newId = fieldOf(doc, '_id');
  if (id === undefined || (newId !== undefined && sameValue(id, newId))) return;
  throw new StoreError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
}

function applyChange(doc: Doc, { operator, path, operand }: Change): void {
  const takesAway = TAKES_AWAY.has(operator);
  const holder = takesAway ? findHolder(doc, path) : makeHolder(doc, path);
  if (!holder) return;
  const name = path.at(-1) as string;
  const current = read(holder, name);
  const next = applyOperator(operator, current, operand, { path: path.join('.'), id: fieldOf(doc, '_id') });
  if (next !== undefined) write(holder, name, next, path);
  else if (current !== undefined) takeAway(holder, name);
}

type Holder = Doc | Value[];

const isIndex = (part: string) => /^(0|[1-9]\d*)$/.test(part);

function read(holder: Holder, name: string): Value | undefined {
  if (!Array.isArray(holder)) return fieldOf(holder, name);
  return isIndex(name) ? holder[Number(name)] : undefined;
}

function findHolder(doc: Doc, path: readonly string[]): Holder | undefined {
  let holder: Value | undefined = doc;
  for (const part of path.slice(0, -1)) {
    if (!isDoc(holder) && !Array.isArray(holder)) return undefined;
    holder = read(holder, part);
  }
  return isDoc(holder) || Array.isArray(holder) ? holder : undefined;
}

/** Makes the documents that are missing on the way; a scalar or null in between is 28 PathNotViable. */
function makeHolder(doc: Doc, path: readonly string[]): Holder {
  let holder: Holder = doc;
  for (const [i, part] of path.entries()) {
    if (Array.isArray(holder) && !isIndex(part)) refusePath(part, path[i - 1], holder);
    if (i === path.length - 1) break;
    const inner = read(holder, part);
    if (isDoc(inner) || Array.isArray(inner)) holder = inner;
    else {
      if (inner !== undefined) refusePath(path[i + 1] as string, part, inner);
      const made: Doc = {};
      write(holder, part, made, path);
      holder = made;
    }
  }
  return holder;
}

function refusePath(part: string, within: string | undefined, value: Value): never {
  throw new StoreError(28, `Cannot create field '${part}' in element {${within}: ${shellText(value)}}`);
}

/** MongoDB's limit of the nulls that fill up an array before a far index. */
const MAX_FILL = 1_500_000;

function write(holder: Holder, name: string, value: Value, path: readonly string[]): void {
  if (Array.isArray(holder)) {
    const index = Number(name);
    if (index - holder.length > MAX_FILL) throw badValue(`can't backfill more than ${MAX_FILL} elements`);
    while (holder.length < index) holder.push(null);
    holder[index] = value;
    return;
  }
  if (
    isIndex(name) &&
    !Object.hasOwn(holder, name) &&
    Object.keys(holder).some((other) => comesAfter(other, name))
  ) {
    throw badValue(
      `'${path.join('.')}': field names that are numbers are kept by the embedded store in ascending order only`,
    );
  }
  holder[name] = value;
}

/** JavaScript would list a new numeric name before this one, MongoDB after it. */
const comesAfter = (other: string, name: string) => !isIndex(other) || Number(other) > Number(name);

/** Arrays keep their length. */
function takeAway(holder: Holder, name: string): void {
  if (Array.isArray(holder)) holder[Number(name)] = null;
  else delete holder[name];
}
