import { type Doc, fieldOf, isDoc, isTruthy, type Value } from '../bson/values.ts';
import { StoreError, unsupported } from '../errors.ts';
import { fieldPath } from '../query/field-path.ts';
import { dateToString, dateTrunc } from './dates.ts';
import { OPERATORS } from './expression-operators.ts';

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
  if (source === '$') throw new StoreError(16872, "'$' by itself is not a valid FieldPath");
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
  const parts = fieldPath(path);
  return (doc) => walk(doc, parts);
}

/** Behind an array, the values of its documents; numbers in a path are names, never indexes. */
function walk(value: Value | undefined, parts: readonly string[]): Value | undefined {
  if (parts.length === 0) return value;
  if (isDoc(value)) return walk(fieldOf(value, parts[0] as string), parts.slice(1));
  if (!Array.isArray(value)) return undefined;
  return value.map((element) => walk(element, parts)).filter((element) => element !== undefined);
}

const OWN_SYNTAX = ['$literal', '$cond', '$dateToString', '$dateTrunc'];

export const isExpressionOperator = (name: string): boolean =>
  OWN_SYNTAX.includes(name) || Object.hasOwn(OPERATORS, name);

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
  return (doc) => {
    const values: (Value | undefined)[] = [];
    for (const part of parts) {
      const value = part(doc);
      values.push(value);
      if (found.endsAt?.(value)) break;
    }
    return found.compute(values);
  };
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
