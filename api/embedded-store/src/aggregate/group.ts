import { Double, Int32 } from 'bson';
import { add } from '../bson/arithmetic.ts';
import { compareValues, keyText } from '../bson/key-encoding.ts';
import { type Doc, isDoc, isNum, kindOf, type Num, type Value } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { fieldName } from '../query/field-path.ts';
import type { Source } from '../storage/sources.ts';
import { refusedName } from '../unsupported-names.ts';
import { compileExpression, type Expression } from './expressions.ts';

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

/** A document as `_id` has an expression for each field; numbers and booleans are refused, as they would mean inclusion in a projection. */
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
  if (!accumulator || others.length > 0) {
    throw new StoreError(40238, `The field '${name}' must specify one accumulator`);
  }
  const create = Object.hasOwn(ACCUMULATORS, accumulator) ? ACCUMULATORS[accumulator] : undefined;
  if (!create) {
    const unknown = new StoreError(15952, `unknown group operator '${accumulator}'`);
    throw refusedName('accumulator', accumulator, unknown);
  }
  const source = operand[accumulator] as Value;
  if (Array.isArray(source))
    throw new StoreError(40237, `The ${accumulator} accumulator is a unary operator`);
  return { create, expression: compileExpression(source) };
}

/** Integers exactly; doubles with Neumaier's compensation for rounding errors, as in MongoDB. Values that are no numbers do not count. */
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
