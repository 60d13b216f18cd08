import { Int32, Timestamp } from 'bson';
import { arithmetic } from '../bson/arithmetic.ts';
import { compareValues } from '../bson/key-encoding.ts';
import { shellText } from '../bson/shell-text.ts';
import { fieldOf, isDoc, isNum, kindOf, type Num, typeName, type Value } from '../bson/values.ts';
import { badValue, failedToParse, typeMismatch } from '../errors.ts';
import { addToSet, checkPush, eachOf, pop, pull, pullAll, push } from './array-operators.ts';

const OPERATORS = [
  '$set',
  '$setOnInsert',
  '$unset',
  '$inc',
  '$mul',
  '$min',
  '$max',
  '$currentDate',
  '$push',
  '$addToSet',
  '$pull',
  '$pullAll',
  '$pop',
] as const;

export type Operator = (typeof OPERATORS)[number];

export const isOperator = (name: string): name is Operator => (OPERATORS as readonly string[]).includes(name);

/** These take away: where their path leads nowhere, there is nothing to do. */
export const TAKES_AWAY: ReadonlySet<Operator> = new Set(['$unset', '$pull', '$pullAll', '$pop']);

/** What a message says about the place: the path and the document's `_id`. */
export interface Place {
  path: string;
  id: Value | undefined;
}

/** Checks that need no document; so they also fail where nothing matches. */
export function checkOperand(operator: Operator, path: string, operand: Value): void {
  switch (operator) {
    case '$inc':
    case '$mul': {
      if (isNum(operand)) return;
      const verb = operator === '$inc' ? 'increment' : 'multiply';
      throw typeMismatch(`Cannot ${verb} with non-numeric argument: {${path}: ${shellText(operand)}}`);
    }
    case '$currentDate':
      checkCurrentDate(operand);
      return;
    case '$push':
      checkPush(operand);
      return;
    case '$addToSet':
      eachOf(operand, '$addToSet');
      return;
    case '$pull':
      pull([], operand);
      return;
    case '$pullAll':
      if (!Array.isArray(operand))
        throw badValue(`$pullAll requires an array argument but was given a ${typeName(operand)}`);
      return;
    case '$pop':
      if (!isNum(operand) || Math.abs(Number(operand)) !== 1) {
        throw failedToParse(`$pop expects 1 or -1, found: ${shellText(operand)}`);
      }
  }
}

function checkCurrentDate(operand: Value): void {
  if (typeof operand === 'boolean') return;
  const type = isDoc(operand) ? fieldOf(operand, '$type') : undefined;
  if (type === 'date' || type === 'timestamp') return;
  throw badValue(
    `${typeName(operand)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
  );
}

/** The value a path has afterwards; `undefined` takes the field away. */
export function applyOperator(
  operator: Operator,
  current: Value | undefined,
  operand: Value,
  place: Place,
): Value | undefined {
  switch (operator) {
    case '$set':
    case '$setOnInsert':
      return operand;
    case '$unset':
      return undefined;
    case '$inc':
    case '$mul':
      return calculate(operator, current, operand as Num, place);
    case '$min':
      return current === undefined || compareValues(operand, current) < 0 ? operand : current;
    case '$max':
      return current === undefined || compareValues(operand, current) > 0 ? operand : current;
    case '$currentDate':
      return now(operand);
    case '$push':
      return push(arrayOr(current, operator, place), operand);
    case '$addToSet':
      return addToSet(arrayOr(current, operator, place), operand);
    case '$pull':
      return current === undefined ? current : pull(arrayOr(current, operator, place), operand);
    case '$pullAll':
      return current === undefined ? current : pullAll(arrayOr(current, operator, place), operand as Value[]);
    case '$pop':
      return current === undefined ? current : pop(arrayOr(current, operator, place), Number(operand));
  }
}

function calculate(operator: '$inc' | '$mul', current: Value | undefined, operand: Num, place: Place): Num {
  const inc = operator === '$inc';
  if (current === undefined) return inc ? operand : (arithmetic('*', operand, new Int32(0)) as Num);
  if (!isNum(current)) {
    throw typeMismatch(
      `Cannot apply ${operator} to a value of non-numeric type. {_id: ${idText(place)}} has the field '${lastOf(place.path)}' of non-numeric type ${kindOf(current)}`,
    );
  }
  const result = arithmetic(inc ? '+' : '*', current, operand);
  if (result) return result;
  throw badValue(
    `Failed to apply ${operator} operations to current value (${shellText(current)}) for document {_id: ${idText(place)}}`,
  );
}

function now(operand: Value): Value {
  const wantsTimestamp = isDoc(operand) && fieldOf(operand, '$type') === 'timestamp';
  if (!wantsTimestamp) return new Date();
  return new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 });
}

function arrayOr(current: Value | undefined, operator: Operator, place: Place): Value[] {
  if (current === undefined) return [];
  if (Array.isArray(current)) return current;
  const kind = kindOf(current);
  if (operator === '$push') {
    throw badValue(
      `The field '${place.path}' must be an array but is of type ${kind} in document {_id: ${idText(place)}}`,
    );
  }
  if (operator === '$addToSet') {
    throw badValue(
      `Cannot apply $addToSet to non-array field. Field named '${lastOf(place.path)}' has non-array type ${kind}`,
    );
  }
  if (operator === '$pop') {
    throw typeMismatch(`Path '${place.path}' contains an element of non-array type '${kind}'`);
  }
  throw badValue(`Cannot apply ${operator} to a non-array value`);
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);
const idText = ({ id }: Place) => (id === undefined ? 'no id' : shellText(id));
