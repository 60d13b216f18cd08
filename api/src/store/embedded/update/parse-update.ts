import { type Doc, isDoc, typeName, type Value } from '../bson/values.ts';
import { badValue, failedToParse, StoreError, unsupported } from '../errors.ts';
import { checkOperand, isOperator, type Operator } from './operators.ts';

/** One operator on one path, still with `$`, `$[]` and `$[name]` in it. */
export interface Change {
  operator: Operator;
  path: readonly string[];
  operand: Value;
}

/** An update as a command gives it, read and checked before any document is looked for. */
export type Update = { replacement: Doc } | { changes: Change[] };

const NOT_HERE = new Set(['$rename', '$bit']);

/** Refuses unknown modifiers (9), conflicting paths (40) and operands of the wrong type, with MongoDB's codes. */
export function parseUpdate(update: Value): Update {
  if (Array.isArray(update)) throw unsupported('an update by an aggregation pipeline');
  if (!isDoc(update))
    throw failedToParse(`Update argument must be either an object or an array, got ${typeName(update)}`);
  const names = Object.keys(update);
  if (!names[0]?.startsWith('$')) return { replacement: checkReplacement(update) };
  const changes = names.flatMap((name) => changesOf(name, update[name] as Value));
  refuseConflicts(changes.map(({ path }) => path));
  return { changes };
}

function checkReplacement(replacement: Doc): Doc {
  const name = Object.keys(replacement).find((field) => field.startsWith('$'));
  if (!name) return replacement;
  throw new StoreError(
    52,
    `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
  );
}

function changesOf(name: string, operands: Value): Change[] {
  if (NOT_HERE.has(name)) throw unsupported(name);
  if (!isOperator(name)) {
    throw failedToParse(
      `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  if (!isDoc(operands)) {
    throw failedToParse(
      `Modifiers operate on fields but we found type ${typeName(operands)} instead. For example: {$mod: {<field>: ...}} not {${name}: ...}`,
    );
  }
  return Object.entries(operands).map(([path, operand]) => {
    checkOperand(name, path, operand);
    return { operator: name, path: parsePath(path), operand };
  });
}

function parsePath(path: string): string[] {
  if (path === '') throw new StoreError(56, 'An empty update path is not valid.');
  const parts = path.split('.');
  if (parts.includes('')) {
    throw new StoreError(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
  }
  if (parts.includes('__proto__')) throw badValue(`field name '__proto__' is not kept by the embedded store`);
  const dollar = parts.find((part) => part.startsWith('$') && part !== '$' && !/^\$\[[^\]]*\]$/.test(part));
  if (dollar) {
    throw new StoreError(
      52,
      `The dollar ($) prefixed field '${dollar}' in '${path}' is not valid for storage.`,
    );
  }
  if (parts[0]?.startsWith('$')) {
    throw badValue(`Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
  }
  return parts;
}

/** No path may be another one, or lie within it: 40 ConflictingUpdateOperators. */
export function refuseConflicts(paths: (readonly string[])[]): void {
  const sorted = paths.map((path) => path.join('.')).sort(byParts);
  for (const [i, path] of sorted.entries()) {
    const next = sorted[i + 1];
    if (next === path || next?.startsWith(`${path}.`)) {
      throw new StoreError(40, `Updating the path '${next}' would create a conflict at '${path}'`);
    }
  }
}

/** A path directly before those within it. */
function byParts(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  for (const [i, part] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    const order = comparePart(part, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Numbers as numbers, names as bytes: the order in which MongoDB applies changes and adds fields. */
function comparePart(a: string, b: string): number {
  const isIndex = /^\d+$/;
  if (isIndex.test(a) && isIndex.test(b)) return Number(a) - Number(b);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export const inOrder = <T extends { path: readonly string[] }>(changes: T[]): T[] =>
  [...changes].sort((a, b) => byParts(a.path.join('.'), b.path.join('.')));
