import { type Doc, fieldOf, isNum, type Kind, kindOf, type Value } from '../bson/values.ts';
import { StoreError, unsupported } from '../errors.ts';

/** The type of a field of a command. `natural` is a number from 0 on. */
type FieldType = 'string' | 'object' | 'array' | 'bool' | 'number' | 'natural' | 'any';

/** The fields of a command or of a part of it. Any other is refused as unknown. */
export interface Fields {
  required?: Record<string, FieldType>;
  optional?: Record<string, FieldType>;
  /** Fields of MongoDB that the embedded store does not support. */
  refused?: readonly string[];
  /** Likewise, and not part of version 1 of MongoDB's Stable API. */
  unstable?: readonly string[];
}

/** Fields of every command. Sessions have no effect here. */
export const GENERIC_FIELDS: Record<string, FieldType> = {
  lsid: 'object',
  $db: 'string',
  $readPreference: 'object',
  $clusterTime: 'object',
  apiVersion: 'string',
  apiStrict: 'bool',
  apiDeprecationErrors: 'bool',
  comment: 'any',
  maxTimeMS: 'natural',
  readConcern: 'object',
  writeConcern: 'object',
};

const TRANSACTION_FIELDS = new Set(['txnNumber', 'autocommit', 'startTransaction']);

/** @throws StoreError 40415 for an unknown field, 40414 for a missing one, 14 for a wrong type, 20 for fields of transactions */
export function checkCommand(name: string, command: Doc, fields: Fields): void {
  if (Object.keys(command).some((field) => TRANSACTION_FIELDS.has(field)))
    throw new StoreError(20, 'Transaction numbers are only allowed on a replica set member or mongos');
  const { unstable = [], refused = [] } = fields;
  refuseUnstable(name, command, unstable, command.apiStrict);
  checkFields(name, command, {
    required: { [name]: 'any', ...fields.required },
    optional: { ...GENERIC_FIELDS, ...fields.optional },
    refused: [...refused, ...unstable],
  });
  checkConcerns(command);
}

/** @throws StoreError 323 APIStrictError for a field outside version 1 of the Stable API, in strict mode */
function refuseUnstable(where: string, doc: Doc, unstable: readonly string[], apiStrict: Value | undefined) {
  const field = apiStrict === true ? unstable.find((name) => Object.hasOwn(doc, name)) : undefined;
  if (field) throw new StoreError(323, `BSON field '${where}.${field}' is not allowed with apiStrict:true.`);
}

/** @param where the place that messages name: `find`, `update.updates` */
export function checkFields(
  where: string,
  doc: Doc,
  { required = {}, optional = {}, refused = [] }: Fields,
): void {
  for (const [field, value] of Object.entries(doc)) {
    const type = fieldOf(required, field) ?? fieldOf(optional, field);
    if (type) checkType(`${where}.${field}`, value, type);
    else if (!refused.includes(field)) {
      throw new StoreError(40415, `BSON field '${where}.${field}' is an unknown field.`);
    } else if (!isOff(value)) throw unsupported(`${where}.${field}`);
  }
  for (const field of Object.keys(required)) {
    if (!Object.hasOwn(doc, field))
      throw new StoreError(40414, `BSON field '${where}.${field}' is missing but a required field`);
  }
}

/** An unsupported option may be set to false. */
const isOff = (value: Value) => value === false;

const KIND_OF_TYPE: Partial<Record<FieldType, Kind>> = {
  string: 'string',
  object: 'object',
  array: 'array',
  bool: 'bool',
};

function checkType(where: string, value: Value, type: FieldType): void {
  const kind = kindOf(value);
  if (type === 'any' || kind === KIND_OF_TYPE[type]) return;
  if (type === 'bool' && isNum(value)) return;
  if ((type === 'number' || type === 'natural') && isNum(value)) {
    const number = Number(value);
    if (!Number.isInteger(number)) throw new StoreError(9, `Expected an integer: ${where}: ${number}`);
    if (type === 'natural' && number < 0)
      throw new StoreError(51024, `BSON field '${where}' value must be >= 0, actual value '${number}'`);
    return;
  }
  const expected = KIND_OF_TYPE[type] ? `'${KIND_OF_TYPE[type]}'` : "'[long, int, decimal, double]'";
  throw new StoreError(14, `BSON field '${where}' is the wrong type '${kind}', expected type ${expected}`);
}

function checkConcerns({ readConcern, writeConcern }: Doc): void {
  if (readConcern) {
    const { level, ...others } = readConcern as Doc;
    if (level !== undefined && !['local', 'available', 'majority'].includes(level as string))
      throw unsupported(`readConcern level ${String(level)}`);
    refuseOthers('readConcern', others, ['provenance']);
  }
  if (!writeConcern) return;
  const { w, ...others } = writeConcern as Doc;
  if (isNum(w) && Number(w) > 1) throw new StoreError(2, "cannot use 'w' > 1 when a host is not replicated");
  refuseOthers('writeConcern', others, ['j', 'wtimeout', 'wtimeoutMS', 'provenance', 'fsync']);
}

function refuseOthers(where: string, others: Doc, known: string[]): void {
  const unknown = Object.keys(others).find((field) => !known.includes(field));
  if (unknown) throw new StoreError(40415, `BSON field '${where}.${unknown}' is an unknown field.`);
}

export const numberOr = <T>(value: Value | undefined, otherwise: T): number | T =>
  value === undefined ? otherwise : Number(value);
