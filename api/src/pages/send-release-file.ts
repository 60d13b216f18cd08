import type { Context } from 'koa';
import type { CompositionStore } from '../compositions/composition-store.ts';
import { ENCODINGS } from '../compositions/release-keys.ts';
import type { Release } from '../models/release.ts';
import type { ReleaseReader, SentFile } from './release-reader.ts';

export interface ReleaseFilesDeps {
  store: Pick<CompositionStore, 'releases'>;
  reader: ReleaseReader;
}

/**
 * A file that is opened as a page runs nothing, on no origin: whoever may publish a release (an SVG, say) has no script on the desk's
 * origin without operations. A script shows as text when it is opened; one that a worker is started with takes its policy from this response.
 */
const FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";
const SCRIPT_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'";

/** Releases whose description is kept in memory: it never changes once published. */
const KNOWN = 100;

/**
 * Answers GET and HEAD of one file of a release. Only a path that the release lists is ever looked up. Leaves the answer at 404
 * for anything else, a file that is not as published included, and never lets that be cached, so that a healed one is fetched.
 */
export function createReleaseFileSender({ store, reader }: ReleaseFilesDeps) {
  const known = new Map<string, Release>();

  async function findRelease(id: string): Promise<Release | null> {
    const found = known.get(id);
    if (found) return found;
    const release = await store.releases.findOne({ _id: id, publishedAt: { $ne: null } }).lean<Release>();
    if (!release) return null;
    known.set(id, release);
    for (const oldest of [...known.keys()].slice(0, -KNOWN)) known.delete(oldest);
    return release;
  }

  return async (ctx: Context, name: string, version: string, path: string): Promise<void> => {
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Cache-Control', 'no-store');
    const release = await findRelease(`${name}@${version}`);
    const file = release?.files.find((listed) => listed.path === path);
    if (!release || !file) return;
    const accepted = ENCODINGS.filter((encoding) => ctx.acceptsEncodings(encoding, 'identity') === encoding);
    const sent = await reader.read(release, file, accepted);
    if (sent) send(ctx, sent, file.type, file.integrity);
  };
}

function send(ctx: Context, { bytes, encoding }: SentFile, type: string, integrity: string): void {
  ctx.status = 200;
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Content-Security-Policy', type.startsWith('text/javascript') ? SCRIPT_POLICY : FILE_POLICY);
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
  ctx.vary('Accept-Encoding');
  ctx.type = type;
  ctx.etag = `${integrity.slice('sha384-'.length, 30)}-${encoding}`;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.body = bytes;
}
