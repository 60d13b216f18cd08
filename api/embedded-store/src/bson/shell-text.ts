import type { Binary, BSONRegExp, Double, ObjectId, Timestamp } from 'bson';
import { type Doc, kindOf, type Value } from './values.ts';

/** A value as in MongoDB's messages: `{ k: "x", n: 1.0 }`. */
export function shellText(value: Value): string {
  switch (kindOf(value)) {
    case 'string':
      return JSON.stringify(value);
    case 'double':
      return doubleText(Number(value as Double));
    case 'object':
      return objectText(value as Doc);
    case 'array':
      return `[ ${(value as Value[]).map(shellText).join(', ')} ]`;
    case 'objectId':
      return `ObjectId('${(value as ObjectId).toHexString()}')`;
    case 'date':
      return `new Date(${(value as Date).getTime()})`;
    case 'binData':
      return `BinData(${(value as Binary).sub_type}, ${Buffer.from((value as Binary).value())
        .toString('hex')
        .toUpperCase()})`;
    case 'regex':
      return `/${(value as BSONRegExp).pattern}/${(value as BSONRegExp).options}`;
    case 'timestamp':
      return `Timestamp(${(value as Timestamp).t}, ${(value as Timestamp).i})`;
    case 'minKey':
      return 'MinKey';
    case 'maxKey':
      return 'MaxKey';
    default:
      return String(value);
  }
}

function doubleText(number: number): string {
  if (Number.isInteger(number) && Math.abs(number) < 1e15) return `${number}.0`;
  if (Number.isNaN(number)) return 'nan.0';
  return Number.isFinite(number) ? String(number) : `${number < 0 ? '-' : ''}inf.0`;
}

function objectText(doc: Doc): string {
  const fields = Object.entries(doc).map(([name, value]) => `${name}: ${shellText(value)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
