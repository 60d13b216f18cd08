import { createHash } from 'node:crypto';
import { logoTooLarge, notFound, unsupportedType } from '../errors/errors.ts';
import { imageLength } from '../http/image-length.ts';
import type { DeskLogoDocument } from './desk-logo.ts';
import { readImageHeader } from './read-image-header.ts';
import type { SettingsModels } from './settings-models.ts';

/** Maximum size of a logo in bytes, and of its sides in pixels: a small file can unpack to a huge picture. */
export const maxLogoBytes = 256 * 1024;
const maxLogoSide = 2048;
/** A logo that no revision uses is deleted after this time, in ms: its form may still be open. */
const unusedForMs = 86_400_000;

export interface Logos {
  /**
   * Stores an image and returns its version. @throws logoTooLarge, unsupportedType('unsupported_logo') for anything but PNG, JPEG and WebP by its
   * content.
   */
  put(bytes: Buffer): Promise<string>;
  /** @throws notFound('logo') */
  read(version: string): Promise<Pick<DeskLogoDocument, 'type' | 'bytes'>>;
  /** Deletes logos that were uploaded and never saved. */
  sweep(): Promise<void>;
}

export function createLogos({ deskLogos, deskRevisions }: SettingsModels): Logos {
  return {
    async put(given) {
      if (given.length > maxLogoBytes) throw logoTooLarge(maxLogoBytes);
      const header = readImageHeader(given);
      if (!header) throw unsupportedType('unsupported_logo');
      if (Math.max(header.width, header.height) > maxLogoSide) throw logoTooLarge(maxLogoBytes);
      // Data after the end of the image is never displayed and could be anything.
      const bytes = given.subarray(0, imageLength(given));
      const _id = createHash('sha256').update(bytes).digest('base64url').slice(0, 24);
      const $set = { type: header.type, bytes, at: new Date() };
      await deskLogos.updateOne({ _id }, { $set }, { upsert: true });
      return _id;
    },

    async read(version) {
      const logo = await deskLogos.findById(version).lean();
      if (!logo) throw notFound('logo');
      // The driver returns its own type for binary data.
      return { type: logo.type, bytes: Buffer.from(logo.bytes.buffer) };
    },

    async sweep() {
      const due = await deskLogos.find({}, { at: 1 }).lean();
      const old = due.filter(({ at }) => Date.now() - at.getTime() > unusedForMs);
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
