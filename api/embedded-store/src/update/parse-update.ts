import { fieldOf, isDoc, typeName, type Value } from '../bson/values.ts';
import { badValue, failedToParse, StoreError, unsupported } from '../errors.ts';
import { refusedName } from '../unsupported-names.ts';
import { UPDATE_OPERATORS } from './operators.ts';

export interface Change {
  operator: string;
  path: readonly string[];
  operand: Value;
}

/**
 * Parses an update before any document is looked for. The changes are in the order in which MongoDB applies them and adds fields.
 *
 * @throws StoreError 9 for an unknown operator, 40 for conflicting paths, 115 for what the store does not support
 */
export function parseUpdate(update: Value): Change[] {
  checkUpdateType(update);
  if (!isDoc(update)) throw unsupported('an update by an aggregation pipeline');
  const names = Object.keys(update);
  if (!names[0]?.startsWith('$')) throw unsupported('a replacement of a document');
  const changes = names.flatMap((name) => changesOf(name, update[name] as Value));
  changes.sort((a, b) => comparePaths(a.path, b.path));
  refuseConflicts(changes.map(({ path }) => path.join('.')));
  return changes;
}

export function checkUpdateType(update: Value): void {
  if (isDoc(update) || Array.isArray(update)) return;
  throw failedToParse(`Update argument must be either an object or an array, got ${typeName(update)}`);
}

function changesOf(name: string, operands: Value): Change[] {
  const operator = fieldOf(UPDATE_OPERATORS, name);
  if (!operator) {
    throw refusedName(
      'update',
      name,
      failedToParse(
        `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
      ),
    );
  }
  if (!isDoc(operands)) {
    throw failedToParse(
      `Modifiers operate on fields but we found type ${typeName(operands)} instead. For example: {$mod: {<field>: ...}} not {${name}: ...}`,
    );
  }
  return Object.entries(operands).map(([path, operand]) => {
    operator.check?.(operand, path);
    return { operator: name, path: parsePath(path), operand };
  });
}

function parsePath(path: string): string[] {
  if (path === '') throw new StoreError(56, 'An empty update path is not valid.');
  const parts = path.split('.');
  if (parts.includes(''))
    throw new StoreError(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
  if (parts.includes('__proto__'))
    throw badValue(`field name '__proto__' is not supported by the embedded store`);
  const dollar = parts.find((part) => part.startsWith('$'));
  if (dollar === undefined) return parts;
  if (dollar === '$' || dollar.startsWith('$[')) throw unsupported(`the positional path '${path}'`);
  throw new StoreError(
    52,
    `The dollar ($) prefixed field '${dollar}' in '${path}' is not valid for storage.`,
  );
}

/** Refuses equal paths and paths within each other. They are sorted. */
function refuseConflicts(paths: readonly string[]): void {
  for (const [i, path] of paths.entries()) {
    const next = paths[i + 1];
    if (next === path || next?.startsWith(`${path}.`))
      throw new StoreError(40, `Updating the path '${next}' would create a conflict at '${path}'`);
  }
}

/** A path comes directly before the paths within it. */
function comparePaths(left: readonly string[], right: readonly string[]): number {
  for (const [i, part] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    const order = compareNames(part, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Numbers are compared as numbers, names as UTF-8. */
function compareNames(a: string, b: string): number {
  const isNumber = /^\d+$/;
  if (isNumber.test(a) && isNumber.test(b)) return Number(a) - Number(b);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
