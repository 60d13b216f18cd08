import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';
import type { Encoding } from './release-keys.ts';

const toBrotli = promisify(brotliCompress);
const fromBrotli = promisify(brotliDecompress);
const toGzip = promisify(gzip);
const fromGzip = promisify(gunzip);

/** As small as it gets: made once, sent for years. */
export function encode(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return toGzip(bytes, { level: 9 });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return toBrotli(bytes, { params });
}

/** undefined when `bytes` are no such encoding, or stand for more than `size` bytes. */
export async function decode(bytes: Buffer, encoding: Encoding, size: number): Promise<Buffer | undefined> {
  const options = { maxOutputLength: Math.max(size, 1) };
  try {
    return await (encoding === 'gzip' ? fromGzip(bytes, options) : fromBrotli(bytes, options));
  } catch {
    return undefined; // Garbled: its caller has the plain file.
  }
}
