import { Double, Int32 } from 'bson';
import { sumOf } from '../bson/arithmetic.ts';
import { compareValues, keyText } from '../bson/key-encoding.ts';
import { type Doc, isDoc, isNum, kindOf, type Num, type Value } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { fieldName } from '../query/field-path.ts';
import type { Source } from '../storage/sources.ts';
import { compileExpression, type Expression } from './expressions.ts';

/** Takes in values one by one; `undefined` is missing. */
interface Accumulator {
  add(value: Value | undefined): void;
  result(): Value;
}

const ACCUMULATORS: Record<string, () => Accumulator> = {
  $sum: sum,
  $avg: average,
  $min: () => extreme(-1),
  $max: () => extreme(1),
  $first: first,
  $last: last,
  $push: push,
  $addToSet: addToSet,
  $count: count,
};

/** `$group`. All documents are taken in before the first group comes out; groups come in order of their first document. */
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

/** A document as `_id` names fields and their expressions; a number or a flag there would be an inclusion, which it does not have. */
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
  // Of several fields a missing one stays missing, a single one becomes null.
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
  if (!create) throw new StoreError(15952, `unknown group operator '${accumulator}'`);
  const source = operand[accumulator] as Value;
  if (accumulator === '$count' && !(isDoc(source) && Object.keys(source).length === 0)) {
    throw new StoreError(14, '$count takes no arguments, i.e. $count:{}');
  }
  if (Array.isArray(source))
    throw new StoreError(40237, `The ${accumulator} accumulator is a unary operator`);
  return { create, expression: compileExpression(source) };
}

function sum(): Accumulator {
  const total = exactTotal();
  return { add: total.add, result: total.result };
}

function average(): Accumulator {
  const total = exactTotal();
  let n = 0;
  return {
    add(value) {
      if (!isNum(value)) return;
      total.add(value);
      n++;
    },
    result: () => (n === 0 ? null : new Double(Number(total.result()) / n)),
  };
}

/** Integers exactly; doubles with what rounding takes away kept apart (Neumaier), as MongoDB keeps it too. */
function exactTotal(): { add(value: Value | undefined): void; result(): Num } {
  let integers: Num = new Int32(0);
  let doubles = 0;
  let lost = 0;
  let isDouble = false;
  return {
    add(value) {
      if (!isNum(value)) return;
      if (kindOf(value) !== 'double') {
        integers = sumOf(integers, value);
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

function first(): Accumulator {
  let found: { value: Value } | undefined;
  return {
    add(value) {
      found ??= { value: value ?? null };
    },
    result: () => found?.value ?? null,
  };
}

function last(): Accumulator {
  let found: Value = null;
  return {
    add(value) {
      found = value ?? null;
    },
    result: () => found,
  };
}

function push(): Accumulator {
  const values: Value[] = [];
  return {
    add(value) {
      if (value !== undefined) values.push(value);
    },
    result: () => values,
  };
}

function addToSet(): Accumulator {
  const values = new Map<string, Value>();
  return {
    add(value) {
      if (value === undefined) return;
      const key = keyText(value);
      if (!values.has(key)) values.set(key, value);
    },
    result: () => [...values.values()],
  };
}

function count(): Accumulator {
  let n = 0;
  return {
    add() {
      n++;
    },
    result: () => new Int32(n),
  };
}
