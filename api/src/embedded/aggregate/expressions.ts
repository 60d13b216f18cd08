import { Double, Int32, Long, type ObjectId } from 'bson';
import { arithmetic } from '../bson/arithmetic.ts';
import { EMPTY_ARRAY, encodeKey, sameValue } from '../bson/key-encoding.ts';
import {
  type Doc,
  fieldOf,
  isDoc,
  isNum,
  isTruthy,
  kindOf,
  type Num,
  typeName,
  type Value,
} from '../bson/values.ts';
import { StoreError, unsupported } from '../errors.ts';
import { dateToString, dateTrunc } from './dates.ts';

/** A value computed from a document; `undefined` is "missing". */
export type Expression = (doc: Doc) => Value | undefined;

/** Reads an aggregation expression: field paths, literals, documents, arrays and the operators below. */
export function compileExpression(source: Value): Expression {
  if (typeof source === 'string' && source.startsWith('$')) return compilePath(source);
  if (Array.isArray(source)) {
    const parts = source.map(compileExpression);
    return (doc) => parts.map((part) => part(doc) ?? null);
  }
  if (!isDoc(source)) return () => source;
  const names = Object.keys(source);
  const operator = names.find((name) => name.startsWith('$'));
  if (!operator) return compileObject(source);
  if (names.length > 1) {
    throw new StoreError(
      15983,
      `an expression specification must contain exactly one field, the name of the expression. Found ${names.length} fields in ${names.join(', ')}`,
    );
  }
  return compileOperator(operator, source[operator] as Value);
}

function compileObject(source: Doc): Expression {
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
  if (!source.startsWith('$$')) return pathOf(source.slice(1));
  const [variable, ...rest] = source.slice(2).split('.');
  if (variable === 'NOW' && rest.length === 0) {
    const now = new Date();
    return () => now;
  }
  if (variable !== 'ROOT' && variable !== 'CURRENT') throw unsupported(`the variable $$${variable}`);
  return rest.length === 0 ? (doc) => doc : pathOf(rest.join('.'));
}

function pathOf(path: string): Expression {
  const parts = path.split('.');
  if (parts.includes('')) throw new StoreError(15998, 'FieldPath field names may not be empty strings.');
  if (parts.some((part) => part.startsWith('$'))) {
    throw new StoreError(16410, `FieldPath field names may not start with '$': ${path}`);
  }
  return (doc) => walk(doc, parts);
}

/** Behind an array, the values of its documents; numbers in a path are names, never indexes. */
function walk(value: Value | undefined, parts: readonly string[]): Value | undefined {
  if (parts.length === 0) return value;
  if (isDoc(value)) return walk(fieldOf(value, parts[0] as string), parts.slice(1));
  if (!Array.isArray(value)) return undefined;
  return value.map((element) => walk(element, parts)).filter((element) => element !== undefined);
}

type Arguments = (Value | undefined)[];
interface Operator {
  least: number;
  most: number;
  compute: (values: Arguments) => Value | undefined;
}

const operator = (least: number, most: number, compute: Operator['compute']): Operator => ({
  least,
  most,
  compute,
});

const isNullish = (value: Value | undefined): value is null | undefined =>
  value === undefined || value === null;

/** Missing sorts before null in expressions. */
const orderOf = (a: Value | undefined, b: Value | undefined) =>
  Buffer.compare(encodeKey(a === undefined ? EMPTY_ARRAY : a), encodeKey(b === undefined ? EMPTY_ARRAY : b));

const comparison = (holds: (order: number) => boolean) => operator(2, 2, ([a, b]) => holds(orderOf(a, b)));

const OPERATORS: Record<string, Operator> = {
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $cmp: operator(2, 2, ([a, b]) => new Int32(orderOf(a, b))),
  $and: operator(0, Number.POSITIVE_INFINITY, (values) => values.every(isTruthy)),
  $or: operator(0, Number.POSITIVE_INFINITY, (values) => values.some(isTruthy)),
  $not: operator(1, 1, ([value]) => !isTruthy(value)),
  $ifNull: operator(
    2,
    Number.POSITIVE_INFINITY,
    (values) => values.find((value) => !isNullish(value)) ?? values.at(-1),
  ),
  $add: operator(0, Number.POSITIVE_INFINITY, (values) => fold('$add', '+', values, new Int32(0))),
  $multiply: operator(0, Number.POSITIVE_INFINITY, (values) => fold('$multiply', '*', values, new Int32(1))),
  $subtract: operator(2, 2, ([a, b]) => subtract(a, b)),
  $divide: operator(2, 2, ([a, b]) => divide(a, b)),
  $concat: operator(0, Number.POSITIVE_INFINITY, concat),
  $toLower: operator(1, 1, ([value]) =>
    asciiCase(value, (text) => text.replace(/[A-Z]+/g, (run) => run.toLowerCase())),
  ),
  $toUpper: operator(1, 1, ([value]) =>
    asciiCase(value, (text) => text.replace(/[a-z]+/g, (run) => run.toUpperCase())),
  ),
  $toString: operator(1, 1, ([value]) => toText(value)),
  $type: operator(1, 1, ([value]) => typeName(value)),
  $isArray: operator(1, 1, ([value]) => Array.isArray(value)),
  $size: operator(1, 1, ([value]) => {
    if (Array.isArray(value)) return new Int32(value.length);
    throw new StoreError(
      17124,
      `The argument to $size must be an array, but was of type: ${typeName(value)}`,
    );
  }),
  $in: operator(2, 2, ([value, array]) => {
    if (!Array.isArray(array)) {
      throw new StoreError(40081, `$in requires an array as a second argument, found: ${typeName(array)}`);
    }
    return value !== undefined && array.some((element) => sameValue(element, value));
  }),
  $arrayElemAt: operator(2, 2, ([array, index]) => elementAt('$arrayElemAt', array, index)),
  $first: operator(1, 1, ([array]) => elementAt('$first', array, new Int32(0))),
  $last: operator(1, 1, ([array]) => elementAt('$last', array, new Int32(-1))),
};

function compileOperator(name: string, operand: Value): Expression {
  if (name === '$literal') return () => operand;
  if (name === '$cond') return compileCond(operand);
  if (name === '$dateToString' || name === '$dateTrunc') return compileNamed(name, operand);
  const found = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (!found) throw new StoreError(168, `Unrecognized expression '${name}'`);
  const parts = (Array.isArray(operand) ? operand : [operand]).map(compileExpression);
  if (parts.length < found.least || parts.length > found.most) {
    throw new StoreError(
      16020,
      `Expression ${name} takes exactly ${found.least} arguments. ${parts.length} were passed in.`,
    );
  }
  return (doc) => found.compute(parts.map((part) => part(doc)));
}

function compileCond(operand: Value): Expression {
  const parts = Array.isArray(operand) ? operand : isDoc(operand) ? namedCond(operand) : [];
  if (parts.length !== 3) {
    throw new StoreError(
      16020,
      `Expression $cond takes exactly 3 arguments. ${parts.length} were passed in.`,
    );
  }
  const [test, then, otherwise] = parts.map(compileExpression) as [Expression, Expression, Expression];
  return (doc) => (isTruthy(test(doc)) ? then(doc) : otherwise(doc));
}

function namedCond(operand: Doc): Value[] {
  const unknown = Object.keys(operand).find((name) => !['if', 'then', 'else'].includes(name));
  if (unknown) throw new StoreError(17083, `Unrecognized parameter to $cond: ${unknown}`);
  for (const [i, name] of ['if', 'then', 'else'].entries()) {
    if (!Object.hasOwn(operand, name))
      throw new StoreError(17080 + i, `Missing '${name}' parameter to $cond`);
  }
  return [operand.if, operand.then, operand.else] as Value[];
}

const PARAMETERS = {
  $dateToString: { run: dateToString, names: ['date', 'format', 'timezone', 'onNull'] },
  $dateTrunc: { run: dateTrunc, names: ['date', 'unit', 'binSize', 'timezone', 'startOfWeek'] },
};

function compileNamed(name: keyof typeof PARAMETERS, operand: Value): Expression {
  const { run, names } = PARAMETERS[name];
  if (!isDoc(operand)) throw new StoreError(18629, `${name} only supports an object as its argument`);
  const unknown = Object.keys(operand).find((parameter) => !names.includes(parameter));
  if (unknown) throw new StoreError(18534, `Unrecognized argument to ${name}: ${unknown}`);
  if (!Object.hasOwn(operand, 'date')) throw new StoreError(18628, `Missing 'date' parameter to ${name}`);
  const parts = Object.entries(operand).map(([key, value]): [string, Expression] => [
    key,
    compileExpression(value),
  ]);
  return (doc) => run(Object.fromEntries(parts.map(([key, part]) => [key, part(doc)])));
}

function fold(name: string, operation: '+' | '*', values: Arguments, start: Num): Value {
  if (values.some(isNullish)) return null;
  const dates = values.filter((value) => value instanceof Date);
  if (dates.length > 1 || (dates.length === 1 && operation === '*')) {
    throw new StoreError(16612, `only one date allowed in an ${name} expression`);
  }
  let total = start;
  for (const value of values as Value[]) {
    if (value instanceof Date) continue;
    if (!isNum(value))
      throw new StoreError(14, `${name} only supports numeric or date types, not ${typeName(value)}`);
    total =
      arithmetic(operation, total, value) ??
      new Double(operation === '+' ? Number(total) + Number(value) : Number(total) * Number(value));
  }
  const [date] = dates as Date[];
  return date ? new Date(date.getTime() + Math.round(Number(total))) : total;
}

function subtract(a: Value | undefined, b: Value | undefined): Value {
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date && b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  if (a instanceof Date && isNum(b)) return new Date(a.getTime() - Math.round(Number(b)));
  if (isNum(a) && isNum(b)) {
    const negated = arithmetic('*', b, new Int32(-1));
    return (negated && arithmetic('+', a, negated)) ?? new Double(Number(a) - Number(b));
  }
  throw new StoreError(14, `can't $subtract ${typeName(b)} from ${typeName(a)}`);
}

function divide(a: Value | undefined, b: Value | undefined): Value {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNum(a) || !isNum(b)) {
    throw new StoreError(14, `$divide only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
  }
  if (Number(b) === 0) throw new StoreError(2, "can't $divide by zero");
  return new Double(Number(a) / Number(b));
}

function concat(values: Arguments): Value {
  let text = '';
  for (const value of values) {
    if (isNullish(value)) return null;
    if (typeof value !== 'string')
      throw new StoreError(16702, `$concat only supports strings, not ${typeName(value)}`);
    text += value;
  }
  return text;
}

function asciiCase(value: Value | undefined, convert: (text: string) => string): Value {
  if (isNullish(value)) return '';
  if (typeof value === 'string') return convert(value);
  throw unsupported(`$toLower or $toUpper of a ${typeName(value)}`);
}

function toText(value: Value | undefined): Value {
  if (isNullish(value)) return null;
  switch (kindOf(value)) {
    case 'string':
      return value;
    case 'int':
    case 'long':
    case 'bool':
      return String(value);
    case 'objectId':
      return (value as ObjectId).toHexString();
    case 'date':
      return (value as Date).toISOString();
    default:
      throw unsupported(`$toString of a ${typeName(value)}`);
  }
}

function elementAt(name: string, array: Value | undefined, index: Value | undefined): Value | undefined {
  if (isNullish(array) || isNullish(index)) return null;
  if (!Array.isArray(array)) {
    throw new StoreError(28689, `${name}'s argument must be an array, but is ${typeName(array)}`);
  }
  if (!isNum(index) || !Number.isInteger(Number(index))) {
    throw new StoreError(
      28690,
      `${name}'s second argument must be a numeric value, but is ${typeName(index)}`,
    );
  }
  return array.at(Number(index));
}
