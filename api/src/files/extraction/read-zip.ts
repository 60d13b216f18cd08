import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { tooLarge, unreadable } from './file-failure.ts';

/** Maximum number of files in a zip; a document has a few dozen. */
const maxEntries = 20_000;

/** Names of the files in a zip, in directory order. @throws Error if the directory is damaged. */
export async function namesInZip(bytes: Uint8Array): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const { fileName } of entriesOf(await open(bytes))) names.add(fileName);
  return names;
}

/**
 * Unpacks files with matching names. Sizes declared in the zip are not trusted: unpacking stops at the limit.
 * @param maxBytes total bytes. @throws FileFailure too large, or encrypted; Error if it is damaged.
 */
export async function unpackZip(
  bytes: Uint8Array,
  wanted: RegExp,
  maxBytes: number,
): Promise<Map<string, Buffer>> {
  const parts = new Map<string, Buffer>();
  const zip = await open(bytes);
  let left = maxBytes;
  for await (const entry of entriesOf(zip)) {
    if (!wanted.test(entry.fileName)) continue;
    if (entry.isEncrypted()) throw unreadable('encrypted');
    if (entry.uncompressedSize > left) throw tooLarge('unpacked', Math.floor(maxBytes / 1e6));
    const part = await unpack(zip, entry, left, maxBytes);
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
  if (zip.entryCount > maxEntries) throw unreadable('damaged');
  for await (const entry of zip.eachEntry()) yield entry;
}

async function unpack(zip: ZipFile, entry: Entry, left: number, maxBytes: number): Promise<Buffer> {
  const stream = await zip.openReadStreamPromise(entry);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > left) throw tooLarge('unpacked', Math.floor(maxBytes / 1e6));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
