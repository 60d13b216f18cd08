import { type Doc, fieldOf, isDoc, isNum, kindOf, type Value } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { compileProjection } from '../query/projection.ts';
import { compileExpression, type Expression } from './expressions.ts';

type Shape = (doc: Doc) => Doc;
type Computed = [path: string[], expression: Expression];

/** `$project`: kept or left-out paths as in find, and computed fields after them. */
export function compileProject(spec: Value): Shape {
  if (!isDoc(spec)) throw new StoreError(15969, '$project specification must be an object');
  if (Object.keys(spec).length === 0)
    throw new StoreError(51272, '$project specification must have at least one field');
  const { flags, computed } = split(spec, []);
  const excludes = Object.entries(flags).some(([path, value]) => path !== '_id' && !flagOf(value));
  if (excludes && computed.length > 0) {
    const [path] = computed[0] as Computed;
    throw new StoreError(31252, `Cannot use an expression for an exclusion projection: ${path.join('.')}`);
  }
  const keep = compileProjection(computed.length > 0 ? withIncluded(flags) : flags);
  return (doc) => {
    const out = keep ? keep(doc) : { ...doc };
    return addAll(out, doc, computed);
  };
}

/** With computed fields alone, the others go: an inclusion of a name that no document has. */
const NO_FIELD = '\u0001';
const withIncluded = (flags: Doc): Doc =>
  Object.keys(flags).some((path) => path !== '_id') ? flags : { ...flags, [NO_FIELD]: true };

const flagOf = (value: Value) => (isNum(value) ? Number(value) !== 0 : value === true);

function split(spec: Doc, prefix: string[]): { flags: Doc; computed: Computed[] } {
  const flags: Doc = {};
  const computed: Computed[] = [];
  for (const [name, value] of Object.entries(spec)) {
    const path = [...prefix, ...name.split('.')];
    if (typeof value === 'boolean' || isNum(value)) flags[path.join('.')] = value;
    else if (isDoc(value) && !Object.keys(value)[0]?.startsWith('$')) {
      if (Object.keys(value).length === 0)
        throw new StoreError(51270, 'An empty sub-projection is not a valid value');
      const inner = split(value, path);
      Object.assign(flags, inner.flags);
      computed.push(...inner.computed);
    } else computed.push([checkPath(path), compileExpression(value)]);
  }
  return { flags, computed };
}

function checkPath(path: string[]): string[] {
  if (path.includes('')) throw new StoreError(15998, 'FieldPath field names may not be empty strings.');
  if (path.some((part) => part.startsWith('$'))) {
    throw new StoreError(16410, `FieldPath field names may not start with '$': ${path.join('.')}`);
  }
  return path;
}

/** `$addFields` and `$set`. */
export function compileAddFields(spec: Value): Shape {
  if (!isDoc(spec))
    throw new StoreError(40272, `$addFields specification stage must be an object, got ${kindOf(spec)}`);
  const computed = fieldsOf(spec, []);
  return (doc) => addAll({ ...doc }, doc, computed);
}

function fieldsOf(spec: Doc, prefix: string[]): Computed[] {
  return Object.entries(spec).flatMap(([name, value]): Computed[] => {
    const path = checkPath([...prefix, ...name.split('.')]);
    if (isDoc(value) && Object.keys(value).length > 0 && !Object.keys(value)[0]?.startsWith('$')) {
      return fieldsOf(value, path);
    }
    return [[path, compileExpression(value)]];
  });
}

function addAll(out: Doc, doc: Doc, computed: Computed[]): Doc {
  let result = out;
  for (const [path, expression] of computed) result = addAt(result, path, expression(doc)) as Doc;
  return result;
}

/** Into each document of an array; what is no document gives way to one. */
function addAt(
  holder: Value | undefined,
  path: readonly string[],
  value: Value | undefined,
): Value | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(holder)) return holder.map((element) => addAt(element, path, value) as Value);
  const out: Doc = isDoc(holder) ? { ...holder } : {};
  const inner = addAt(fieldOf(out, name), rest, value);
  if (inner === undefined) delete out[name];
  else out[name] = inner;
  return out;
}

/** `$unset`: one path or several. */
export function compileUnset(spec: Value): Shape {
  const paths = Array.isArray(spec) ? spec : [spec];
  if (paths.length === 0 || paths.some((path) => typeof path !== 'string' || path === '')) {
    throw new StoreError(31002, '$unset specification must be a string or an array');
  }
  const project = compileProjection(Object.fromEntries(paths.map((path) => [path as string, false])));
  return (doc) => (project ? project(doc) : doc);
}

export function compileReplaceRoot(spec: Value): Shape {
  if (!isDoc(spec) || Object.keys(spec).join() !== 'newRoot') {
    throw new StoreError(40229, 'expected an object as specification for $replaceRoot stage, with newRoot');
  }
  const expression = compileExpression(spec.newRoot as Value);
  return (doc) => {
    const root = expression(doc);
    if (isDoc(root)) return root;
    throw new StoreError(
      40228,
      `'newRoot' expression must evaluate to an object, but resulting value was of type: ${root === undefined ? 'missing' : kindOf(root)}`,
    );
  };
}

interface Unwind {
  path: string[];
  keepsEmpty: boolean;
}

/** `$unwind`: a document for each element of an array. */
export function compileUnwind(spec: Value): (doc: Doc) => Doc[] {
  const { path, keepsEmpty } = parseUnwind(spec);
  return (doc) => {
    const value = valueAt(doc, path);
    if (Array.isArray(value) && value.length > 0)
      return value.map((element) => addAt(doc, path, element) as Doc);
    if (!Array.isArray(value) && value !== undefined && value !== null) return [doc];
    if (!keepsEmpty) return [];
    return [Array.isArray(value) ? (addAt(doc, path, undefined) as Doc) : doc];
  };
}

/** Not through arrays: $unwind opens only what lies on a path of documents. */
function valueAt(doc: Doc, path: readonly string[]): Value | undefined {
  let value: Value | undefined = doc;
  for (const part of path) value = isDoc(value) ? fieldOf(value, part) : undefined;
  return value;
}

function parseUnwind(spec: Value): Unwind {
  const options: Doc = isDoc(spec) ? spec : { path: spec };
  const unknown = Object.keys(options).find((name) => !['path', 'preserveNullAndEmptyArrays'].includes(name));
  if (unknown) throw new StoreError(28811, `unrecognized option to $unwind stage: ${unknown}`);
  const { path, preserveNullAndEmptyArrays: keeps = false } = options;
  if (typeof path !== 'string') throw new StoreError(28812, 'no path specified to $unwind stage');
  if (!path.startsWith('$')) {
    throw new StoreError(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  }
  if (typeof keeps !== 'boolean') {
    throw new StoreError(
      28809,
      'expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage',
    );
  }
  return { path: checkPath(path.slice(1).split('.')), keepsEmpty: keeps };
}
