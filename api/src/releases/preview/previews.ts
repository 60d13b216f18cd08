import { createHash, randomBytes } from 'node:crypto';
import type { Model } from 'mongoose';
import { createSigner } from '../../accounts/secrets.ts';
import type { Preview } from '../data/composition-store.ts';

export type Previews = ReturnType<typeof createPreviews>;

/** `key` is used for previews of this environment only, see `deriveKey`. */
export function createPreviews(deps: { previews: Model<Preview>; key: Buffer; now(): Date }) {
  const { previews, key, now } = deps;
  const { sign, isSigned } = createSigner(key);

  /** The last part of a preview's link. */
  const linkOf = (id: string): string => `${id}.${sign(id)}`;
  /** undefined if it has expired. */
  const find = async (id: string): Promise<Preview | undefined> =>
    (await previews.findOne({ _id: id, expiresAt: { $gt: now() } }).lean()) ?? undefined;

  return {
    /** Creates a preview; with a name that exists, its link then shows `composition`. Resolves to the link's last part. */
    async save(preview: Omit<Preview, '_id'>): Promise<string> {
      const id = preview.name === null ? randomBytes(8).toString('hex') : idOf(preview.name);
      await previews.updateOne({ _id: id }, { $set: preview }, { upsert: true });
      return linkOf(id);
    },
    linkOf,
    /** The preview of a link's last part; undefined if it has expired or was not signed by this installation. */
    async open(link: string): Promise<Preview | undefined> {
      const [, id = '', signature = ''] = /^([a-z0-9-]{1,60})\.([\w-]{43})$/.exec(link) ?? [];
      return isSigned(id, signature) ? find(id) : undefined;
    },
    find,
  };
}

/** `feature-login-3f9a0c1b2d` for `feature/login`: readable, and different for names that look alike. */
function idOf(name: string): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 10);
  return readable === '' ? hash : `${readable}-${hash}`;
}
