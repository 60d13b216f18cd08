import { decode } from '../bson/codec.ts';
import type { Doc, Value } from '../bson/values.ts';
import { StoreError } from '../errors.ts';

/** MongoDB's limit of one message, in bytes. */
export const MAX_MESSAGE = 48_000_000;
const HEADER = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
/** Unknown bits from 0 to 15 must be refused; the others may be ignored (16: exhaust allowed, not supported here). */
const REQUIRED_BITS = 0xffff;

export interface Message {
  requestId: number;
  /** @throws StoreError when the body is no BSON; the message itself was complete, so it gets a reply */
  command: () => Doc;
  /** The client expects no reply. */
  silent: boolean;
  /** Sent as OP_QUERY, so the reply is an OP_REPLY instead of an OP_MSG. */
  legacy: boolean;
}

/** @throws Error for another protocol: close the connection, as the next message cannot be found */
export function createMessageReader(): (packet: Buffer) => Message[] {
  let packets: Buffer[] = [];
  let size = 0;
  let wanted = 0;

  return (packet) => {
    packets.push(packet);
    size += packet.length;
    const messages: Message[] = [];
    for (;;) {
      if (size < Math.max(HEADER, wanted)) return messages;
      const bytes = packets.length === 1 ? (packets[0] as Buffer) : Buffer.concat(packets);
      packets = [bytes];
      wanted = lengthOf(bytes);
      if (size < wanted) return messages;
      messages.push(parseMessage(bytes.subarray(0, wanted)));
      packets = [bytes.subarray(wanted)];
      size -= wanted;
      wanted = 0;
    }
  };
}

function lengthOf(bytes: Buffer): number {
  const length = bytes.readInt32LE(0);
  if (length < HEADER + 5 || length > MAX_MESSAGE)
    throw new Error(`message length ${length} is out of range`);
  return length;
}

function parseMessage(bytes: Buffer): Message {
  const requestId = bytes.readInt32LE(4);
  const opCode = bytes.readInt32LE(12);
  if (opCode === OP_QUERY)
    return { requestId, command: () => parseQuery(bytes), silent: false, legacy: true };
  if (opCode !== OP_MSG) throw new Error(`message kind ${opCode} is not supported`);
  const flags = bytes.readUInt32LE(HEADER);
  const unknown = flags & REQUIRED_BITS & ~(CHECKSUM_PRESENT | MORE_TO_COME);
  if (unknown) throw new Error(`message flags ${flags} are not known`);
  const end = bytes.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  const sections = cutSections(bytes, end);
  return {
    requestId,
    command: () => parseSections(sections),
    silent: (flags & MORE_TO_COME) !== 0,
    legacy: false,
  };
}

interface Sections {
  body: Buffer;
  sequences: Map<string, Buffer[]>;
}

function cutSections(bytes: Buffer, end: number): Sections {
  const sequences = new Map<string, Buffer[]>();
  let body: Buffer | undefined;
  let at = HEADER + 4;
  while (at < end) {
    const kind = bytes[at];
    const size = sizeAt(bytes, at + 1, end);
    const section = bytes.subarray(at + 1, at + 1 + size);
    if (kind === 0 && !body) body = section;
    else if (kind === 1) addSequence(sequences, section);
    else throw new Error(`message section kind ${kind} is not known`);
    at += 1 + size;
  }
  if (!body) throw new Error('message without a body');
  return { body, sequences };
}

function sizeAt(bytes: Buffer, at: number, end: number): number {
  const size = at + 4 <= end ? bytes.readInt32LE(at) : -1;
  if (size < 5 || at + size > end) throw new Error(`message section of ${size} bytes is cut off`);
  return size;
}

function addSequence(sequences: Map<string, Buffer[]>, section: Buffer): void {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd < 0) throw new Error('message sequence without a name');
  const name = section.toString('utf8', 4, nameEnd);
  if (sequences.has(name)) throw new Error(`message sequence ${name} came twice`);
  const docs: Buffer[] = [];
  for (let at = nameEnd + 1; at < section.length; ) {
    const size = sizeAt(section, at, section.length);
    docs.push(section.subarray(at, at + size));
    at += size;
  }
  sequences.set(name, docs);
}

/** The documents of an insert are not decoded, as they are stored as they are. */
function parseSections({ body, sequences }: Sections): Doc {
  const isInsert = firstName(body) === 'insert';
  const command = decode(body, isInsert ? { documents: true } : {});
  for (const [name, docs] of sequences) {
    if (Object.hasOwn(command, name))
      throw new StoreError(40413, `Duplicate field between body and document sequence ${name}`);
    command[name] = (isInsert && name === 'documents'
      ? docs
      : docs.map((doc) => decode(doc))) as unknown as Value;
  }
  return command;
}

function firstName(body: Buffer): string {
  const end = body.indexOf(0, 5);
  return end < 0 ? '' : body.toString('utf8', 5, end);
}

/** The first handshake of drivers that do not know yet whether the server supports OP_MSG: isMaster by OP_QUERY on a $cmd. */
function parseQuery(bytes: Buffer): Doc {
  const nameEnd = bytes.indexOf(0, HEADER + 4);
  const name = nameEnd < 0 ? '' : bytes.toString('utf8', HEADER + 4, nameEnd);
  const command = decode(bytes.subarray(nameEnd + 9));
  const first = (Object.keys(command)[0] ?? '').toLowerCase();
  if (!name.endsWith('.$cmd') || (first !== 'ismaster' && first !== 'hello')) {
    throw new StoreError(
      352,
      `Unsupported OP_QUERY command: ${first}. The client driver may require an upgrade.`,
    );
  }
  return { ...command, $db: name.slice(0, -'.$cmd'.length) };
}

export function frameReply({ requestId, legacy }: Message, ownId: number, body: Buffer): Buffer {
  const extra = legacy ? 20 : 5;
  const head = Buffer.alloc(HEADER + extra);
  head.writeInt32LE(HEADER + extra + body.length, 0);
  head.writeInt32LE(ownId, 4);
  head.writeInt32LE(requestId, 8);
  head.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12);
  if (legacy) {
    head.writeInt32LE(8, HEADER);
    head.writeInt32LE(1, HEADER + 16);
  }
  return Buffer.concat([head, body]);
}
