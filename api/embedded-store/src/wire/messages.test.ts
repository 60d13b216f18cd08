import { expect, test } from '@jest/globals';
import { serialize } from 'bson';
import { createMessageReader, frameReply, MAX_MESSAGE } from './messages.ts';

function frame(opCode: number, body: Buffer, requestId = 7): Buffer {
  const head = Buffer.alloc(16);
  head.writeInt32LE(16 + body.length, 0);
  head.writeInt32LE(requestId, 4);
  head.writeInt32LE(opCode, 12);
  return Buffer.concat([head, body]);
}

function message(
  command: object,
  { flags = 0, sequences = {} as Record<string, object[]>, tail = Buffer.alloc(0) } = {},
): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(flags);
  const parts = [head, Buffer.from([0]), Buffer.from(serialize(command))];
  for (const [name, docs] of Object.entries(sequences)) {
    const content = Buffer.concat([Buffer.from(`${name}\0`), ...docs.map((doc) => serialize(doc))]);
    const size = Buffer.alloc(4);
    size.writeInt32LE(4 + content.length);
    parts.push(Buffer.from([1]), size, content);
  }
  return frame(2013, Buffer.concat([...parts, tail]));
}

const PING = { ping: 1, $db: 'admin' };

test('reads messages that arrive byte by byte, and several in one packet', () => {
  const bytes = Buffer.concat([message(PING), message({ hello: 1, $db: 'x' })]);
  const slow = createMessageReader();
  const single = [...bytes].flatMap((byte) => slow(Buffer.from([byte])));
  const whole = createMessageReader()(bytes);
  for (const found of [single, whole]) {
    expect(found.map(({ command }) => Object.keys(command()))).toEqual([
      ['ping', '$db'],
      ['hello', '$db'],
    ]);
    expect(found.map(({ requestId }) => requestId)).toEqual([7, 7]);
  }
});

test('reads document sequences, and does not decode the documents of an insert', () => {
  const [insert] = createMessageReader()(
    message({ insert: 'c', $db: 'd' }, { sequences: { documents: [{ a: 1 }, { b: 2 }] } }),
  );
  const documents = insert?.command().documents as unknown as Buffer[];
  expect(documents.map((doc) => doc.equals(Buffer.from(serialize({ a: 1 }))))).toEqual([true, false]);
  const [inBody] = createMessageReader()(message({ insert: 'c', documents: [{ a: 1 }], $db: 'd' }));
  const ofBody = inBody?.command().documents as unknown as Buffer[] | undefined;
  expect(ofBody?.map((doc) => Buffer.from(doc))).toEqual([Buffer.from(serialize({ a: 1 }))]);
});

test('supports the checksum and more-to-come flags, and refuses unknown flags', () => {
  const [summed] = createMessageReader()(message(PING, { flags: 1, tail: Buffer.alloc(4) }));
  expect(summed?.command()).toMatchObject({ $db: 'admin' });
  expect(createMessageReader()(message(PING, { flags: 2 }))[0]?.silent).toBe(true);
  expect(createMessageReader()(message(PING, { flags: 1 << 16 }))).toHaveLength(1);
  expect(() => createMessageReader()(message(PING, { flags: 4 }))).toThrow('flags 4');
});

test('replies to a handshake by OP_QUERY with OP_REPLY', () => {
  const head = Buffer.concat([Buffer.alloc(4), Buffer.from('admin.$cmd\0'), Buffer.alloc(8)]);
  const [hello] = createMessageReader()(
    frame(2004, Buffer.concat([head, serialize({ ismaster: 1, helloOk: true })])),
  );
  expect(hello?.command()).toMatchObject({ $db: 'admin', helloOk: true });
  const reply = frameReply(hello as NonNullable<typeof hello>, 1, Buffer.from(serialize({ ok: 1 })));
  expect(reply.readInt32LE(12)).toBe(1);
  expect(reply.readInt32LE(8)).toBe(7);
  const [find] = createMessageReader()(frame(2004, Buffer.concat([head, serialize({ find: 'c' })])));
  expect(() => find?.command()).toThrow('Unsupported OP_QUERY command: find');
});

test('refuses bytes that are not a message', () => {
  const length = (n: number) => {
    const bytes = Buffer.alloc(16);
    bytes.writeInt32LE(n, 0);
    return bytes;
  };
  for (const bytes of [
    Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
    length(-1),
    length(3),
    length(MAX_MESSAGE + 1),
  ]) {
    expect(() => createMessageReader()(bytes)).toThrow('out of range');
  }
  expect(() => createMessageReader()(frame(2012, Buffer.alloc(20)))).toThrow('kind 2012');
  expect(() => createMessageReader()(frame(2013, Buffer.alloc(5)))).toThrow('cut off');
  const cut = message(PING);
  cut.writeInt32LE(9999, 21);
  expect(() => createMessageReader()(cut)).toThrow('cut off');
});

test('a body that is not valid BSON fails only its own command', () => {
  const broken = message({ ping: 'text', $db: 'x' });
  broken[25] = 0x99;
  const [found] = createMessageReader()(broken);
  expect(() => found?.command()).toThrow('invalid BSON');
});
