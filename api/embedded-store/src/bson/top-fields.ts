import { badValue } from '../errors.ts';

/** The first part of a path: the top-level field. */
export const rootOf = (path: string): string => {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
};

/** The document with these top-level fields only, in their order; nothing is decoded. */
export const keepFields = (body: Buffer, names: ReadonlySet<string>): Buffer => pick(body, names, true);

/** The document without these top-level fields; nothing is decoded. */
export const dropFields = (body: Buffer, names: ReadonlySet<string>): Buffer => pick(body, names, false);

/** Each element has its length, so values of any length are skipped or copied without being read. */
function pick(body: Buffer, names: ReadonlySet<string>, wanted: boolean): Buffer {
  const parts: Buffer[] = [];
  let length = 5;
  const take = (from: number, to: number) => {
    if (from === to) return;
    parts.push(body.subarray(from, to));
    length += to - from;
  };
  let at = 4;
  let from = at;
  while (body[at] !== 0) {
    const nameEnd = body.indexOf(0, at + 1);
    const end = nameEnd + 1 + sizeOf(body, body[at] as number, nameEnd + 1);
    if (names.has(body.toString('utf8', at + 1, nameEnd)) !== wanted) {
      take(from, at);
      from = end;
    }
    at = end;
  }
  if (parts.length === 0 && from === 4) return body;
  take(from, at);
  const head = Buffer.alloc(4);
  head.writeInt32LE(length);
  return Buffer.concat([head, ...parts, END], length);
}

const END = Buffer.from([0]);

/** The size of a value, in bytes. Source: bsonspec.org, version 1.1; the types that the store supports. */
function sizeOf(body: Buffer, type: number, at: number): number {
  switch (type) {
    case 0x01: // double
    case 0x09: // date
    case 0x11: // timestamp
    case 0x12: // long
      return 8;
    case 0x02: // string
      return 4 + body.readInt32LE(at);
    case 0x03: // object
    case 0x04: // array
      return body.readInt32LE(at);
    case 0x05: // binary: length, subtype, bytes
      return 5 + body.readInt32LE(at);
    case 0x07: // object id
      return 12;
    case 0x08: // bool
      return 1;
    case 0x10: // int
      return 4;
    case 0x0b: // regular expression: two texts, each ended by 00
      return body.indexOf(0, body.indexOf(0, at) + 1) + 1 - at;
    case 0x0a: // null
    case 0xff: // min key
    case 0x7f: // max key
      return 0;
    default:
      throw badValue(`BSON type ${type} is not supported by the embedded store`);
  }
}
