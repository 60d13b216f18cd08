import { dropFields, keepFields } from '../bson/top-fields.ts';
import { type Doc, fieldOf, isDoc, isNum, isTruthy, kindOf, type Value } from '../bson/values.ts';
import { badValue, StoreError, unsupported } from '../errors.ts';
import { fieldPath } from './field-path.ts';
import { elemMatchTest } from './matcher.ts';

export type Projection = (doc: Doc) => Doc;

/** What becomes of one path: kept, left out, made of its array, or computed later (which leaves it out at first). */
export type Rule = 'keep' | 'drop' | 'computed' | ((value: Value | undefined) => Value | undefined);
interface Tree {
  [field: string]: Rule | Tree;
}

/**
 * Reads the projection of find and findAndModify: inclusion or exclusion of paths, `_id` apart, `$slice` and
 * `$elemMatch`. `undefined` where there is nothing to do.
 */
export function compileProjection(spec: Doc | undefined): Projection | undefined {
  if (!spec || Object.keys(spec).length === 0) return undefined;
  return compileRules(flatten(spec, ''));
}

/** The same of rules that were read already. */
export function compileRules(rules: [path: string, rule: Rule][]): Projection {
  const mode = modeOf(rules);
  const tree: Tree = Object.create(null);
  for (const [path, rule] of rules) plant(tree, path, rule);
  if (mode === 'include' && !('_id' in tree)) tree._id = 'keep';
  return (doc) => (mode === 'include' ? include(doc, tree, true) : exclude(doc, tree, true));
}

/** The projection on the bytes themselves, where it keeps or leaves out fields of the document as a whole; `undefined` where it does more. */
export function compileRawProjection(spec: Doc | undefined): ((body: Buffer) => Buffer) | undefined {
  if (!spec || Object.keys(spec).length === 0) return undefined;
  const rules = flatten(spec, '');
  const mode = modeOf(rules);
  if (rules.some(([path, rule]) => typeof rule === 'function' || path.includes('.'))) return undefined;
  const names = new Set(
    rules.filter(([, rule]) => (rule === 'keep') === (mode === 'include')).map(([path]) => path),
  );
  const isIdDropped = rules.some(([path, rule]) => path === '_id' && rule === 'drop');
  if (mode === 'include' && !isIdDropped) names.add('_id');
  return mode === 'include' ? (body) => keepFields(body, names) : (body) => dropFields(body, names);
}

function flatten(spec: Doc, prefix: string): [string, Rule][] {
  return Object.entries(spec).flatMap(([name, value]): [string, Rule][] => {
    const path = prefix + name;
    if (path.endsWith('.$')) throw unsupported(`the projection ${path}`);
    fieldPath(path);
    if (!isDoc(value)) return [[path, ruleOf(path, value)]];
    const names = Object.keys(value);
    if (names.length === 0) throw new StoreError(51270, 'An empty sub-projection is not a valid value');
    if (!names[0]?.startsWith('$')) return flatten(value, `${path}.`);
    if (names.length > 1) throw badValue(`projection of ${path} has more than one operator`);
    return [[path, operatorRule(path, names[0], value[names[0]] as Value)]];
  });
}

function ruleOf(path: string, value: Value): Rule {
  if (typeof value === 'boolean' || isNum(value)) return isTruthy(value) ? 'keep' : 'drop';
  throw unsupported(`the projection of ${path} to a ${kindOf(value)}`);
}

function operatorRule(path: string, operator: string, operand: Value): Rule {
  if (operator === '$slice') return sliceRule(operand);
  if (operator !== '$elemMatch') throw unsupported(`the projection ${operator}`);
  if (path.includes('.')) throw new StoreError(31275, 'Cannot use $elemMatch projection on a nested field');
  if (!isDoc(operand)) throw new StoreError(31274, 'elemMatch: Invalid argument, object required');
  const test = elemMatchTest(operand);
  const rule = (value: Value | undefined) => {
    const found = Array.isArray(value) ? value.find(test) : undefined;
    return found === undefined ? undefined : [found];
  };
  return Object.assign(rule, { includes: true });
}

function sliceRule(operand: Value): Rule {
  const numbers = (Array.isArray(operand) ? operand : [operand]).map((value) => {
    if (!isNum(value)) throw new StoreError(28724, 'First argument to $slice must be a number');
    return Math.trunc(Number(value));
  });
  const [first, second] = numbers as [number, number | undefined];
  if (Array.isArray(operand) && numbers.length !== 2) {
    throw new StoreError(28667, '$slice array must have exactly two elements');
  }
  if (second !== undefined && second <= 0) throw new StoreError(28729, '$slice limit must be positive');
  return (value) => (Array.isArray(value) ? slice(value, first, second) : value);
}

function slice(array: Value[], first: number, count: number | undefined): Value[] {
  if (count === undefined) return first >= 0 ? array.slice(0, first) : array.slice(first);
  const start = first >= 0 ? first : Math.max(0, array.length + first);
  return array.slice(start, start + count);
}

/** `_id` may go its own way; `$slice` alone keeps the other fields, `$elemMatch` alone leaves them out. */
function modeOf(rules: [string, Rule][]): 'include' | 'exclude' {
  let mode: 'include' | 'exclude' | undefined;
  for (const [path, rule] of rules) {
    if (path === '_id' && rule !== 'computed') continue;
    if (typeof rule === 'function') continue;
    const wanted = rule === 'drop' ? 'exclude' : 'include';
    if (mode && mode !== wanted) {
      if (rule === 'computed')
        throw new StoreError(31310, `Cannot use an expression ${path} in an exclusion projection`);
      throw wanted === 'exclude'
        ? new StoreError(31254, `Cannot do exclusion on field ${path} in inclusion projection`)
        : new StoreError(31253, `Cannot do inclusion on field ${path} in exclusion projection`);
    }
    mode = wanted;
  }
  if (mode) return mode;
  if (rules.some(([, rule]) => typeof rule === 'function' && 'includes' in rule)) return 'include';
  return rules.some(([path, rule]) => path === '_id' && rule === 'keep') ? 'include' : 'exclude';
}

function plant(tree: Tree, path: string, rule: Rule): void {
  const parts = path.split('.');
  const last = parts.pop() as string;
  let at = tree;
  for (const [i, part] of parts.entries()) {
    const next = at[part] ?? Object.create(null);
    if (typeof next !== 'object') {
      throw new StoreError(
        31249,
        `Path collision at ${path} remaining portion ${[...parts, last].slice(i + 1).join('.')}`,
      );
    }
    at[part] = next;
    at = next;
  }
  if (last in at) throw new StoreError(31250, `Path collision at ${path}`);
  at[last] = rule;
}

function include(doc: Doc, tree: Tree, top: boolean): Doc {
  const out: Doc = {};
  for (const [name, value] of Object.entries(doc)) {
    const rule = tree[name];
    if (rule === undefined || rule === 'drop' || rule === 'computed') continue;
    const kept =
      rule === 'keep' ? value : typeof rule === 'function' ? rule(value) : includeWithin(value, rule);
    if (kept !== undefined) out[name] = kept;
  }
  return top ? withIdFirst(out) : out;
}

function includeWithin(value: Value, tree: Tree): Value | undefined {
  if (isDoc(value)) return include(value, tree, false);
  // What a computed field lies in becomes a document, in its place.
  if (!Array.isArray(value)) return hasComputed(tree) ? {} : undefined;
  return value.map((element) => includeWithin(element, tree)).filter((element) => element !== undefined);
}

const hasComputed = (tree: Tree): boolean =>
  Object.values(tree).some((rule) => rule === 'computed' || (typeof rule === 'object' && hasComputed(rule)));

function exclude(doc: Doc, tree: Tree, top: boolean): Doc {
  const out: Doc = {};
  for (const [name, value] of Object.entries(doc)) {
    const rule = tree[name];
    if (rule === 'drop') continue;
    const kept =
      typeof rule === 'string' || rule === undefined
        ? value
        : typeof rule === 'function'
          ? rule(value)
          : excludeWithin(value, rule);
    if (kept !== undefined) out[name] = kept;
  }
  return top ? withIdFirst(out) : out;
}

function excludeWithin(value: Value, tree: Tree): Value {
  if (isDoc(value)) return exclude(value, tree, false);
  return Array.isArray(value) ? value.map((element) => excludeWithin(element, tree)) : value;
}

function withIdFirst(doc: Doc): Doc {
  const id = fieldOf(doc, '_id');
  return id === undefined || Object.keys(doc)[0] === '_id' ? doc : { ...{ _id: id }, ...doc };
}
