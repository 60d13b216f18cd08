import { createHash } from 'node:crypto';
import { ApiError, notFound } from '../errors/errors.ts';
import { imageLength } from '../http/image-length.ts';
import { databaseDate, databaseNow } from '../store/database-clock.ts';
import type { DeskLogoDocument, SettingsModels } from './settings-models.ts';

/** Media type and size in pixels of an image, by its first bytes. */
interface ImageHeader {
  type: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
}

/** Maximum size of a logo in bytes, and of its sides in pixels: a small file can unpack to a huge picture. */
export const maxLogoBytes = 256 * 1024;
const maxLogoSide = 2048;

/** A logo that no revision uses is deleted after this time, in ms: its form may still be open. */
const unusedForMs = 86_400_000;

export type Logos = ReturnType<typeof createLogos>;

export function createLogos({ deskLogos, deskRevisions }: SettingsModels) {
  return {
    /** Returns its version. @throws logo_too_large, unsupported_logo unless it is PNG, JPEG or WebP */
    async put(given: Buffer): Promise<string> {
      if (given.length > maxLogoBytes) throw new ApiError('logo_too_large', { count: maxLogoBytes / 1024 });
      const header = readImageHeader(given);
      if (!header) throw new ApiError('unsupported_logo');
      if (Math.max(header.width, header.height) > maxLogoSide)
        throw new ApiError('logo_too_large', { count: maxLogoBytes / 1024 });
      // Data after the end of the image is never displayed and could be anything.
      const bytes = given.subarray(0, imageLength(given));
      const _id = createHash('sha256').update(bytes).digest('base64url').slice(0, 24);
      const $set = { type: header.type, bytes, at: databaseDate() };
      await deskLogos.updateOne({ _id }, { $set }, { upsert: true });
      return _id;
    },

    /** @throws notFound('logo') */
    async read(version: string): Promise<Pick<DeskLogoDocument, 'type' | 'bytes'>> {
      const logo = await deskLogos.findById(version).lean();
      if (!logo) throw notFound('logo');
      // The driver returns its own type for binary data.
      return { type: logo.type, bytes: Buffer.from(logo.bytes.buffer) };
    },

    /** Deletes logos that were uploaded and never saved. */
    async sweep(): Promise<void> {
      const due = await deskLogos.find({}, { at: 1 }).lean();
      const old = due.filter(({ at }) => databaseNow() - at.getTime() > unusedForMs);
      if (old.length === 0) return;
      const saved = await deskRevisions.find({}, { settings: 1 }).lean();
      const used = new Set(saved.map(({ settings }) => settings.logo));
      const unused = old.map(({ _id }) => _id).filter((id) => !used.has(id));
      if (unused.length > 0) await deskLogos.deleteMany({ _id: { $in: unused } });
    },
  };
}

/** The address of a logo. Its content never changes. */
export function logoUrl(version: string): string {
  return `/api/desk/logo?v=${version}`;
}

/** Reads the header of a PNG, JPEG or WebP; null for anything else, and for a damaged header. */
function readImageHeader(bytes: Buffer): ImageHeader | null {
  const found = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  return found && found.width > 0 && found.height > 0 ? found : null;
}

function readPng(bytes: Buffer): ImageHeader | null {
  const isPng =
    bytes.length >= 33 &&
    bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' &&
    isNamed(bytes, 12, 'IHDR');
  return isPng ? { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null;
}

/** The size is in the first frame header (SOF), after any number of other segments. */
function readJpeg(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 4 || bytes.readUIntBE(0, 3) !== 0xffd8ff) return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1]!;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return null;
}

/** Each of the three kinds of WebP has its size elsewhere: https://developers.google.com/speed/webp/docs/riff_container */
function readWebp(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 30 || !isNamed(bytes, 0, 'RIFF') || !isNamed(bytes, 8, 'WEBP')) return null;
  const sized = (width: number, height: number) => ({ type: 'image/webp' as const, width, height });
  if (isNamed(bytes, 12, 'VP8X')) return sized(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  if (isNamed(bytes, 12, 'VP8 '))
    return sized(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (!isNamed(bytes, 12, 'VP8L') || bytes[20] !== 0x2f) return null;
  const bits = bytes.readUInt32LE(21);
  return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

function isNamed(bytes: Buffer, at: number, name: string): boolean {
  return bytes.toString('latin1', at, at + 4) === name;
}
