import { Double, Int32, Long } from 'bson';
import { add } from '../bson/arithmetic.ts';
import { compareValues, keyText } from '../bson/key-encoding.ts';
import { type Doc, fieldOf, isDoc, isNum, kindOf, type Num, typeName, type Value } from '../bson/values.ts';
import { StoreError, unsupported } from '../errors.ts';
import { fieldName, fieldPath } from '../query/field-path.ts';
import type { Source } from '../storage/sources.ts';
import { refusedName } from '../unsupported-names.ts';

/** Aggregates the values of one group; `undefined` is a missing value. */
interface Accumulator {
  add(value: Value | undefined): void;
  result(): Value;
}

export const ACCUMULATORS: Readonly<Record<string, () => Accumulator>> = {
  $max: () => extreme(1),
  $min: () => extreme(-1),
  $sum: sum,
};

/** `$group`. It reads all documents before it returns the first group; groups are in the order of their first documents. */
export function group(source: Source<Doc>, spec: Value): Source<Doc> {
  if (!isDoc(spec)) throw new StoreError(15947, "a group's fields must be specified in an object");
  if (!Object.hasOwn(spec, '_id')) throw new StoreError(15955, 'a group specification must include an _id');
  const id = compileId(spec._id as Value);
  const fields = Object.entries(spec)
    .filter(([name]) => name !== '_id')
    .map(([name, operand]) => ({ name, ...compileField(name, operand) }));
  const groups = new Map<string, { id: Value; accumulators: Accumulator[] }>();
  let done = false;

  const take = (doc: Doc) => {
    const value = id(doc) ?? null;
    const key = keyText(value);
    let found = groups.get(key);
    if (!found) {
      found = { id: value, accumulators: fields.map(({ create }) => create()) };
      groups.set(key, found);
    }
    for (const [i, { expression }] of fields.entries()) found.accumulators[i]?.add(expression(doc));
  };

  return {
    pull() {
      if (done) return undefined;
      const docs = source.pull();
      if (docs) {
        docs.forEach(take);
        return [];
      }
      done = true;
      return [...groups.values()].map(({ id: _id, accumulators }) => ({
        _id,
        ...Object.fromEntries(fields.map(({ name }, i) => [name, accumulators[i]?.result() ?? null])),
      }));
    },
  };
}

/** An `_id` that is a document has an expression for each field. Numbers and booleans are refused: in a projection they mean inclusion. */
function compileId(spec: Value): Expression {
  if (!isDoc(spec) || Object.keys(spec)[0]?.startsWith('$')) return compileExpression(spec);
  for (const [name, value] of Object.entries(spec)) {
    if (typeof value === 'boolean' || isNum(value))
      throw new StoreError(17390, '$group does not support inclusion-style expressions');
    fieldName(name);
  }
  const id = compileExpression(spec);
  const [only, ...others] = Object.keys(spec);
  if (only === undefined || others.length > 0) return id;
  // As in MongoDB, a missing value becomes null where `_id` has one field, and stays missing where it has several.
  return (doc) => ({ [only]: null, ...(id(doc) as Doc) });
}

function compileField(name: string, operand: Value): { create: () => Accumulator; expression: Expression } {
  if (name.includes('.')) throw new StoreError(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$'))
    throw new StoreError(40236, `The field name '${name}' cannot be an operator name`);
  if (!isDoc(operand)) throw new StoreError(40234, `The field '${name}' must be an accumulator object`);
  const [accumulator, ...others] = Object.keys(operand);
  if (!accumulator || others.length > 0)
    throw new StoreError(40238, `The field '${name}' must specify one accumulator`);
  const create = fieldOf(ACCUMULATORS, accumulator);
  if (!create) {
    const unknown = new StoreError(15952, `unknown group operator '${accumulator}'`);
    throw refusedName('accumulator', accumulator, unknown);
  }
  const source = operand[accumulator] as Value;
  if (Array.isArray(source))
    throw new StoreError(40237, `The ${accumulator} accumulator is a unary operator`);
  return { create, expression: compileExpression(source) };
}

/** Adds integers exactly, and doubles with Neumaier's compensation for rounding errors, as MongoDB does. Ignores values that are no numbers. */
function sum(): Accumulator {
  let integers: Num = new Int32(0);
  let doubles = 0;
  let lost = 0;
  let isDouble = false;
  return {
    add(value) {
      if (!isNum(value)) return;
      if (kindOf(value) !== 'double') {
        integers = add(integers, value) ?? new Double(Number(integers) + Number(value));
        return;
      }
      isDouble = true;
      const number = Number(value);
      const next = doubles + number;
      lost += Math.abs(doubles) >= Math.abs(number) ? doubles - next + number : number - next + doubles;
      doubles = next;
    },
    result() {
      if (!isDouble) return integers;
      const exact = doubles + Number(integers);
      return new Double(Number.isFinite(exact) ? exact + lost : exact);
    },
  };
}

function extreme(wanted: 1 | -1): Accumulator {
  let best: Value | undefined;
  return {
    add(value) {
      if (value === undefined || value === null) return;
      if (best === undefined || Math.sign(compareValues(value, best)) === wanted) best = value;
    },
    result: () => best ?? null,
  };
}

/** A value computed from a document; `undefined` is "missing". */
type Expression = (doc: Doc) => Value | undefined;

/** The operators; each compiles its operand once. */
export const EXPRESSIONS: Readonly<Record<string, (operand: Value) => Expression>> = {
  $mod: compileMod,
  $size: compileSize,
  $subtract: compileSubtract,
};

/**
 * Compiles an aggregation expression: a field path, a constant, a document of expressions or an operator.
 *
 * @throws StoreError with MongoDB's code when its form is wrong; 115 for what the store does not support
 */
function compileExpression(source: Value): Expression {
  if (typeof source === 'string' && source.startsWith('$')) return compilePath(source);
  if (Array.isArray(source)) throw unsupported('an array as an expression');
  if (!isDoc(source)) return () => source;
  const names = Object.keys(source);
  const operator = names.find((name) => name.startsWith('$'));
  if (!operator) return compileDocument(source);
  if (names.length > 1) {
    throw new StoreError(
      15983,
      `an expression specification must contain exactly one field, the name of the expression. Found ${names.length} fields in ${names.join(', ')}`,
    );
  }
  return compileOperator(operator, source[operator] as Value);
}

function compileOperator(name: string, operand: Value): Expression {
  const compile = fieldOf(EXPRESSIONS, name);
  if (compile) return compile(operand);
  throw refusedName('expression', name, new StoreError(168, `Unrecognized expression '${name}'`));
}

function compileDocument(source: Doc): Expression {
  const fields = Object.entries(source).map(([name, value]): [string, Expression] => {
    if (name.includes('.'))
      throw new StoreError(16405, 'dotted field names are only allowed at the top level');
    return [name, compileExpression(value)];
  });
  return (doc) => {
    const out: Doc = {};
    for (const [name, expression] of fields) {
      const value = expression(doc);
      if (value !== undefined) out[name] = value;
    }
    return out;
  };
}

function compilePath(source: string): Expression {
  if (source === '$') throw new StoreError(16872, "'$' by itself is not a valid FieldPath");
  if (source.startsWith('$$')) throw unsupported(`the variable ${source.split('.')[0]}`);
  const parts = fieldPath(source.slice(1));
  return (doc) => valueAt(doc, parts);
}

/** In an array, the values of its documents, not of arrays in it; a number in a path is a field name, never an index. */
function valueAt(value: Value | undefined, parts: readonly string[]): Value | undefined {
  if (parts.length === 0) return value;
  if (isDoc(value)) return valueAt(fieldOf(value, parts[0] as string), parts.slice(1));
  if (!Array.isArray(value)) return undefined;
  return value
    .flatMap((element) => (isDoc(element) ? [valueAt(element, parts)] : []))
    .filter((found) => found !== undefined);
}

const isNullish = (value: Value | undefined): value is null | undefined =>
  value === undefined || value === null;

/** The operands of an operator that takes this many; a single operand need not be in an array. */
function operandsOf(name: string, operand: Value, count: number): Expression[] {
  const operands = Array.isArray(operand) ? operand : [operand];
  if (operands.length === count) return operands.map(compileExpression);
  throw new StoreError(
    16020,
    `Expression ${name} takes exactly ${count} arguments. ${operands.length} were passed in.`,
  );
}

function compileSize(operand: Value): Expression {
  const [array] = operandsOf('$size', operand, 1) as [Expression];
  return (doc) => {
    const value = array(doc);
    if (Array.isArray(value)) return new Int32(value.length);
    throw new StoreError(
      17124,
      `The argument to $size must be an array, but was of type: ${typeName(value)}`,
    );
  };
}

/** The milliseconds between two dates, as a long, or the date that is so many before another. */
function compileSubtract(operand: Value): Expression {
  const [minuend, subtrahend] = operandsOf('$subtract', operand, 2) as [Expression, Expression];
  return (doc) => {
    const [a, b] = [minuend(doc), subtrahend(doc)];
    if (isNullish(a) || isNullish(b)) return null;
    if (a instanceof Date && b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
    if (a instanceof Date && b instanceof Long) return new Date(a.getTime() - b.toNumber());
    throw unsupported(`$subtract of ${kindOf(a)} and ${kindOf(b)}`);
  };
}

/** The remainder of a long, as a long; it has the sign of the dividend. */
function compileMod(operand: Value): Expression {
  const [dividend, divisor] = operandsOf('$mod', operand, 2) as [Expression, Expression];
  return (doc) => {
    const [a, b] = [dividend(doc), divisor(doc)];
    if (isNullish(a) || isNullish(b)) return null;
    if (!(a instanceof Long) || !(b instanceof Long || b instanceof Int32))
      throw unsupported(`$mod of ${kindOf(a)} and ${kindOf(b)}`);
    if (Number(b) === 0) throw new StoreError(16610, "can't $mod by zero");
    return Long.fromNumber(Number(a) % Number(b));
  };
}
