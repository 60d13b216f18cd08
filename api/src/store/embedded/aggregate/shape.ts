import { type Doc, fieldOf, isDoc, isNum, isTruthy, kindOf, type Value } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { fieldPath } from '../query/field-path.ts';
import { compileProjection, compileRules, type Rule } from '../query/projection.ts';
import { compileExpression, type Expression, isExpressionOperator } from './expressions.ts';

type Shape = (doc: Doc) => Doc;
type Computed = [path: string[], expression: Expression];

/** `$project`: kept or left-out paths as in find, and computed fields after them. */
export function compileProject(spec: Value): Shape {
  if (!isDoc(spec)) throw new StoreError(15969, '$project specification must be an object');
  if (Object.keys(spec).length === 0)
    throw new StoreError(51272, '$project specification must have at least one field');
  const rules: [path: string, rule: Rule][] = [];
  const computed: Computed[] = [];
  split(spec, [], rules, computed);
  const keep = compileRules(rules);
  return (doc) => addAll(keep(doc), doc, computed);
}

function split(spec: Doc, prefix: string[], rules: [string, Rule][], computed: Computed[]): void {
  for (const [name, value] of Object.entries(spec)) {
    const path = [...prefix, ...fieldPath(name)];
    const names = isDoc(value) ? Object.keys(value) : undefined;
    if (typeof value === 'boolean' || isNum(value))
      rules.push([path.join('.'), isTruthy(value) ? 'keep' : 'drop']);
    else if (names?.length === 0) {
      throw new StoreError(51270, 'An empty sub-projection is not a valid value');
    } else if (names && !names[0]?.startsWith('$')) split(value as Doc, path, rules, computed);
    else {
      rules.push([path.join('.'), 'computed']);
      computed.push([path, compileProjected(value)]);
    }
  }
}

/** An unknown operator has another code at the top of a projected field than within an expression. */
function compileProjected(value: Value): Expression {
  const [operator] = isDoc(value) ? Object.keys(value) : [];
  if (operator && !isExpressionOperator(operator))
    throw new StoreError(31325, `Unknown expression ${operator}`);
  return compileExpression(value);
}

/** `$addFields` and `$set`. */
export function compileAddFields(spec: Value): Shape {
  if (!isDoc(spec))
    throw new StoreError(40272, `$addFields specification stage must be an object, got ${kindOf(spec)}`);
  const computed = fieldsOf(spec, []);
  refuseBoth(computed.map(([path]) => path.join('.')));
  return (doc) => addAll({ ...doc }, doc, computed);
}

function fieldsOf(spec: Doc, prefix: string[]): Computed[] {
  return Object.entries(spec).flatMap(([name, value]): Computed[] => {
    const path = [...prefix, ...fieldPath(name)];
    const names = isDoc(value) ? Object.keys(value) : undefined;
    if (names?.length === 0)
      throw new StoreError(40180, `an empty object is not a valid value at ${path.join('.')}`);
    if (names && !names[0]?.startsWith('$')) return fieldsOf(value as Doc, path);
    return [[path, compileExpression(value)]];
  });
}

function refuseBoth(paths: string[]): void {
  for (const [i, path] of paths.entries()) {
    const other = paths
      .slice(0, i)
      .find((one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`));
    if (other === undefined) continue;
    throw new StoreError(
      40176,
      `specification contains two conflicting paths. Cannot specify both '${path}' and '${other}'`,
    );
  }
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
  if (paths.length === 0 || paths.some((path) => typeof path !== 'string')) {
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
  if (!isDoc(spec) && typeof spec !== 'string')
    throw new StoreError(15981, `expected either a string or an object for $unwind, got ${kindOf(spec)}`);
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
  return { path: fieldPath(path.slice(1)), keepsEmpty: keeps };
}
