import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';
import type { Encoding } from '../data/release-keys.ts';

const toBrotli = promisify(brotliCompress);
const fromBrotli = promisify(brotliDecompress);
const toGzip = promisify(gzip);
const fromGzip = promisify(gunzip);

/** Compresses as much as possible: encoded once, served for years. */
export function encode(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return toGzip(bytes, { level: 9 });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return toBrotli(bytes, { params });
}

/** Returns undefined if `bytes` are not validly encoded or decode to more than `size` bytes. */
export async function decode(bytes: Buffer, encoding: Encoding, size: number): Promise<Buffer | undefined> {
  const options = { maxOutputLength: Math.max(size, 1) };
  try {
    return await (encoding === 'gzip' ? fromGzip(bytes, options) : fromBrotli(bytes, options));
  } catch {
    return undefined; // Corrupted: the caller uses the plain file.
  }
}
