const STRING_TAG = 0x0f;
const TYPE_OF_STRING = 0x02;

/** `{ _id }` as BSON, derived from the index key; undefined unless the id is a string without NUL. */
export function idDocument(key: Buffer): Buffer | undefined {
  const end = key.length - 2;
  if (key[0] !== STRING_TAG || key.indexOf(0, 1) !== end) return undefined;
  const length = end - 1;
  const body = Buffer.alloc(length + 15);
  body.writeInt32LE(length + 15, 0);
  body[4] = TYPE_OF_STRING;
  body.write('_id', 5, 'latin1');
  body.writeInt32LE(length + 1, 9);
  key.copy(body, 13, 1, end);
  return body;
}
