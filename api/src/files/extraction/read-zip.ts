import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { tooLarge, unreadable } from './file-failure.ts';

/** Files in one zip; a document has some dozens. */
const mostEntries = 20_000;

/** Names of the files in a zip, in the order of its directory. @throws Error where the directory is damaged. */
export async function namesInZip(bytes: Uint8Array): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const { fileName } of entriesOf(await open(bytes))) names.add(fileName);
  return names;
}

/**
 * Unpacks the files whose names match. What the zip says about their size is not believed: unpacking ends where it is too much.
 *
 * @param most bytes of all of them.
 * @throws FileFailure too large, or encrypted; Error where it is damaged.
 */
export async function unpackZip(
  bytes: Uint8Array,
  wanted: RegExp,
  most: number,
): Promise<Map<string, Buffer>> {
  const parts = new Map<string, Buffer>();
  const zip = await open(bytes);
  let left = most;
  for await (const entry of entriesOf(zip)) {
    if (!wanted.test(entry.fileName)) continue;
    if (entry.isEncrypted()) throw unreadable('encrypted');
    if (entry.uncompressedSize > left) throw tooLarge('unpacked', Math.floor(most / 1e6));
    const part = await unpack(zip, entry, left, most);
    left -= part.length;
    parts.set(entry.fileName, part);
  }
  return parts;
}

async function open(bytes: Uint8Array): Promise<ZipFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return fromBufferPromise(buffer, { lazyEntries: true, validateEntrySizes: true });
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  if (zip.entryCount > mostEntries) throw unreadable('damaged');
  for await (const entry of zip.eachEntry()) yield entry;
}

async function unpack(zip: ZipFile, entry: Entry, left: number, most: number): Promise<Buffer> {
  const stream = await zip.openReadStreamPromise(entry);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > left) throw tooLarge('unpacked', Math.floor(most / 1e6));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
