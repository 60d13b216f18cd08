import type { PageOverride } from '../../contract/pages.ts';
import type { Release } from '../data/release.ts';
import type { LiveComposition, ResolvedComposition, ResolvedPart } from '../live/live-composition.ts';
import type { Override } from './override-tokens.ts';
import type { Previews } from './previews.ts';

export interface OverrideSources {
  resolve: LiveComposition['resolve'];
  /** Value of RELEASE_ORIGINS. */
  origins: readonly string[];
  findPreview: Previews['find'];
}

export interface OverriddenPage {
  composition: ResolvedComposition;
  override: PageOverride;
}

/**
 * The page choice for `override`. undefined if it is no longer valid: its remote is no longer live, its preview
 * has expired, or its address has an origin that is not allowed any more. Rejects if its composition cannot be read.
 */
export async function overriddenPage(
  { aim, expiresAt }: Override,
  live: ResolvedComposition,
  { resolve, origins, findPreview }: OverrideSources,
): Promise<OverriddenPage | undefined> {
  const until = expiresAt.toISOString();
  if (aim.kind === 'composition')
    return {
      composition: await resolve(aim.composition),
      override: { kind: 'composition', expiresAt: until },
    };
  if (aim.kind === 'preview') {
    const preview = await findPreview(aim.preview);
    if (!preview) return undefined;
    const { name } = preview;
    return {
      composition: await resolve(aim.composition),
      override: { kind: 'composition', expiresAt: until, ...(name === null ? {} : { name }) },
    };
  }
  const { remote, address } = aim;
  if (!isAllowed(address, origins) || !live.remotes.some((part) => part.live.name === remote))
    return undefined;
  const remotes = live.remotes.map((part) => (part.live.name === remote ? developed(part, address) : part));
  return {
    composition: { ...live, remotes },
    override: { kind: 'remote', remote, address, expiresAt: until },
  };
}

/** Whether `address` is a remote entry on one of `origins`. */
export function isAllowed(address: string, origins: readonly string[]): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, origin, username, password, hash } = new URL(address);
  return /^https?:$/.test(protocol) && `${username}${password}${hash}` === '' && origins.includes(origin);
}

/** As the developer's server provides it, with unknown files. Falls back to the live release. */
function developed({ live }: ResolvedPart, address: string): ResolvedPart {
  const base = new URL('.', address).href;
  const release: Release = {
    ...live,
    version: 'dev',
    base,
    entry: new URL(address).href.slice(base.length),
    entryFiles: { js: [], css: [] },
    exposes: live.exposes.map(({ name }) => ({ name, js: [], css: [] })),
    files: [],
  };
  return { live: release, previous: live };
}
