import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { tooLarge, unreadable } from '../file-failure.ts';

/** Maximum number of files in a zip; a document has a few dozen. */
const maxEntries = 20_000;

/**
 * Opens a zip, whose files are unpacked on demand. Names are compared as programs that write Office documents do: regardless of case,
 * percent-encoding, backslashes and a leading slash. Sizes declared in the zip are not trusted: unpacking stops at the limit.
 * @param maxBytes total bytes of all files that are read. @throws Error if the directory is damaged.
 */
export async function openZip(bytes: Uint8Array, maxBytes: number) {
  const buffer = withoutTail(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  // Names are decoded here, since the library refuses a whole zip because of one absolute name; nothing is written to a disk.
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, decodeStrings: false };
  const zip = await fromBufferPromise(buffer, options);
  if (zip.entryCount > maxEntries) throw unreadable('damaged');
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
    entries.set(keyOf(getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)), entry);
  }
  const read = new Map<string, Buffer>();
  let left = maxBytes;

  return {
    /** Names in lower case, with slashes. */
    names: [...entries.keys()],
    /** undefined if there is no such file. @throws FileFailure too large, or encrypted; Error if it is damaged. */
    async read(name: string): Promise<Buffer | undefined> {
      const key = keyOf(name);
      const entry = entries.get(key);
      const before = read.get(key);
      if (before || !entry) return before;
      if (entry.isEncrypted()) throw unreadable('encrypted');
      if (entry.uncompressedSize > left) throw tooLarge('unpacked', Math.floor(maxBytes / 1e6));
      const part = await unpack(zip, entry, left, maxBytes);
      left -= part.length;
      read.set(key, part);
      return part;
    },
  };
}

const endOfDirectory = Buffer.from('PK\x05\x06');

/** Ends a zip with its directory: transmission adds or cuts bytes at the end, which the library refuses. */
function withoutTail(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf(endOfDirectory);
  if (at < 0 || at + 20 > bytes.length) return bytes;
  return Buffer.concat([bytes.subarray(0, at + 20), Buffer.alloc(2)]);
}

function keyOf(name: string): string {
  const path = name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
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
