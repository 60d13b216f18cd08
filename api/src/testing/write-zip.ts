import { crc32 } from 'node:zlib';

/** One file of a zip to be written. */
export interface ZipPart {
  name: string;
  /** Compressed if `method` is 8. */
  bytes: Uint8Array;
  /** 0 stored, 8 deflated. */
  method?: 0 | 8;
  /** Uncompressed size in bytes. */
  size?: number;
  /** CRC of the uncompressed content. */
  crc?: number;
  isEncrypted?: boolean;
}

const localHeader = 0x04034b50;
const centralHeader = 0x02014b50;
const end = 0x06054b50;
/** File names are UTF-8, see APPNOTE.TXT 4.4.4. */
const utf8Name = 0x0800;

/** Creates a zip of these files. Sizes below 4 GB, fewer than 65,536 files. */
export function writeZip(parts: readonly ZipPart[]): Buffer {
  const files: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, bytes, method = 0, size = bytes.length, crc = crc32(bytes), isEncrypted } of parts) {
    const encoded = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(utf8Name | (isEncrypted ? 1 : 0), 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(encoded.length, 22);
    const local = Buffer.concat([word(localHeader), common, encoded]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    files.push(local, bytes);
    directory.push(Buffer.concat([word(centralHeader), Buffer.from([20, 0]), common, rest, encoded]));
    offset += local.length + bytes.length;
  }
  const tail = Buffer.alloc(18);
  tail.writeUInt16LE(parts.length, 4);
  tail.writeUInt16LE(parts.length, 6);
  tail.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    8,
  );
  tail.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, ...directory, word(end), tail]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
