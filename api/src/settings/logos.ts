import { createHash } from 'node:crypto';
import { ApiError, notFound } from '../errors/errors.ts';
import { readImageHeader } from '../http/image-header.ts';
import { imageLength } from '../http/image-length.ts';
import { databaseDate, databaseNow } from '../store/database-clock.ts';
import type { DeskLogoDocument, SettingsModels } from './desk-settings.ts';

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
      if (given.length > maxLogoBytes) throw logoTooLarge();
      const header = readImageHeader(given);
      if (!header) throw new ApiError('unsupported_logo');
      if (Math.max(header.width, header.height) > maxLogoSide) throw logoTooLarge();
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

export const logoTooLarge = () => new ApiError('logo_too_large', { count: maxLogoBytes / 1024 });

/** The address of a logo. Its content never changes. */
export function logoUrl(version: string): string {
  return `/api/desk/logo?v=${version}`;
}
