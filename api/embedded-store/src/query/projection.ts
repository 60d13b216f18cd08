import { dropFields, keepFields } from '../bson/top-fields.ts';
import { type Doc, isDoc, isNum, isTruthy, kindOf, type Value } from '../bson/values.ts';
import { StoreError, unsupported } from '../errors.ts';
import { fieldPath } from './field-path.ts';

type Projection = (doc: Doc) => Doc;

type Rule = 'keep' | 'drop';
interface Tree {
  [field: string]: Rule | Tree;
}

/** For find and findAndModify: paths are included or excluded apart from `_id`. Undefined if empty. */
export function compileProjection(spec: Doc | undefined): Projection | undefined {
  if (!spec || Object.keys(spec).length === 0) return undefined;
  const rules = rulesOf(spec, '');
  const tree: Tree = Object.create(null);
  for (const [path, rule] of rules) plant(tree, path, rule);
  const mode = modeOf(rules);
  if (mode === 'keep' && !('_id' in tree)) tree._id = 'keep';
  return (doc) => project(doc, tree, mode);
}

/** The same projection on a document's bytes, which need not be decoded; undefined where it has a path into a field. */
export function compileRawProjection(spec: Doc | undefined): ((body: Buffer) => Buffer) | undefined {
  if (!spec || Object.keys(spec).length === 0) return undefined;
  const rules = rulesOf(spec, '');
  const mode = modeOf(rules);
  if (rules.some(([path]) => path.includes('.'))) return undefined;
  const names = new Set(rules.filter(([, rule]) => rule === mode).map(([path]) => path));
  if (mode === 'drop') return (body) => dropFields(body, names);
  if (!rules.some(([path, rule]) => path === '_id' && rule === 'drop')) names.add('_id');
  return (body) => keepFields(body, names);
}

function rulesOf(spec: Doc, prefix: string): [path: string, rule: Rule][] {
  return Object.entries(spec).flatMap(([name, value]): [string, Rule][] => {
    const path = prefix + name;
    if (path.endsWith('.$')) throw unsupported(`the projection ${path}`);
    fieldPath(path);
    if (!isDoc(value)) return [[path, ruleOf(path, value)]];
    const [first] = Object.keys(value);
    if (first === undefined) throw new StoreError(51270, 'An empty sub-projection is not a valid value');
    if (!first.startsWith('$')) return rulesOf(value, `${path}.`);
    throw unsupported(`the projection ${first}`);
  });
}

function ruleOf(path: string, value: Value): Rule {
  if (typeof value === 'boolean' || isNum(value)) return isTruthy(value) ? 'keep' : 'drop';
  throw unsupported(`the projection of ${path} to a ${kindOf(value)}`);
}

/** Inclusion and exclusion cannot be mixed, except for `_id`. */
function modeOf(rules: [string, Rule][]): Rule {
  let mode: Rule | undefined;
  for (const [path, rule] of rules) {
    if (path === '_id') continue;
    if (mode && mode !== rule) {
      throw rule === 'drop'
        ? new StoreError(31254, `Cannot do exclusion on field ${path} in inclusion projection`)
        : new StoreError(31253, `Cannot do inclusion on field ${path} in exclusion projection`);
    }
    mode = rule;
  }
  return mode ?? rules[0]?.[1] ?? 'drop';
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

/** A field without a rule is dropped if `mode` keeps others, and kept if it drops others. */
function project(doc: Doc, tree: Tree, mode: Rule): Doc {
  const out: Doc = {};
  for (const [name, value] of Object.entries(doc)) {
    const rule = tree[name] ?? (mode === 'keep' ? 'drop' : 'keep');
    if (rule === 'keep') out[name] = value;
    if (typeof rule !== 'object') continue;
    const [kept] = within([value], rule, mode);
    if (kept !== undefined || mode === 'drop') out[name] = kept as Value;
  }
  return out;
}

/** Elements of an array that are no documents are dropped or kept like fields without a rule. */
function within(values: Value[], tree: Tree, mode: Rule): Value[] {
  return values.flatMap((value) => {
    if (isDoc(value)) return [project(value, tree, mode)];
    if (Array.isArray(value)) return [within(value, tree, mode)];
    return mode === 'keep' ? [] : [value];
  });
}
