import { add } from '../bson/arithmetic.ts';
import { compareValues, sameValue } from '../bson/key-encoding.ts';
import { shellText } from '../bson/shell-text.ts';
import { isDoc, isNum, kindOf, type Num, type Value } from '../bson/values.ts';
import { badValue, typeMismatch, unsupported } from '../errors.ts';

/** The field that an operator changes, for messages: its path and the document's `_id`. */
interface Place {
  path: string;
  id: Value | undefined;
}

export interface UpdateOperator {
  /** Checks the operand before any document is looked for. */
  check?: (operand: Value, path: string) => void;
  /** The new value of the field; `undefined` removes the field. */
  apply: (current: Value | undefined, operand: Value, place: Place) => Value | undefined;
  /** What happens where the path does not exist; a path through a scalar or an array fails by default. */
  missingPath: 'create' | 'ignore' | 'ignore, also in scalars and arrays';
  /** Applies to upserted documents only. */
  insertOnly?: true;
}

export const UPDATE_OPERATORS: Readonly<Record<string, UpdateOperator>> = {
  $addToSet: { check: checkAddToSet, apply: addToSet, missingPath: 'create' },
  $inc: {
    check: checkInc,
    apply: (current, operand, place) => inc(current, operand as Num, place),
    missingPath: 'create',
  },
  $max: {
    apply: (current, operand) =>
      current === undefined || compareValues(operand, current) > 0 ? operand : current,
    missingPath: 'create',
  },
  $min: {
    apply: (current, operand) =>
      current === undefined || compareValues(operand, current) < 0 ? operand : current,
    missingPath: 'create',
  },
  $pull: { check: checkPull, apply: pull, missingPath: 'ignore' },
  $set: { apply: (_current, operand) => operand, missingPath: 'create' },
  $setOnInsert: { apply: (_current, operand) => operand, missingPath: 'create', insertOnly: true },
  $unset: { apply: () => undefined, missingPath: 'ignore, also in scalars and arrays' },
};

function checkInc(operand: Value, path: string): void {
  if (isNum(operand)) return;
  throw typeMismatch(`Cannot increment with non-numeric argument: {${path}: ${shellText(operand)}}`);
}

function inc(current: Value | undefined, operand: Num, { path, id }: Place): Num {
  if (current === undefined) return operand;
  if (!isNum(current)) {
    throw typeMismatch(
      `Cannot apply $inc to a value of non-numeric type. {_id: ${idText(id)}} has the field '${lastOf(path)}' of non-numeric type ${kindOf(current)}`,
    );
  }
  const sum = add(current, operand);
  if (sum) return sum;
  throw badValue(
    `Failed to apply $inc operations to current value (${shellText(current)}) for document {_id: ${idText(id)}}`,
  );
}

function checkAddToSet(operand: Value): void {
  if (isDoc(operand) && Object.hasOwn(operand, '$each')) throw unsupported('$each');
}

function addToSet(current: Value | undefined, operand: Value, { path }: Place): Value {
  if (current === undefined) return [operand];
  if (Array.isArray(current))
    return current.some((element) => sameValue(element, operand)) ? current : [...current, operand];
  throw badValue(
    `Cannot apply $addToSet to non-array field. Field named '${lastOf(path)}' has non-array type ${kindOf(current)}`,
  );
}

/** In MongoDB a document or a regular expression is a condition on the elements. */
function checkPull(operand: Value): void {
  if (isDoc(operand) || kindOf(operand) === 'regex') throw unsupported('$pull by a condition');
}

function pull(current: Value | undefined, operand: Value): Value | undefined {
  if (current === undefined) return undefined;
  if (Array.isArray(current)) return current.filter((element) => !sameValue(element, operand));
  throw badValue('Cannot apply $pull to a non-array value');
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);
const idText = (id: Value | undefined) => (id === undefined ? 'no id' : shellText(id));
