import type { CompositionChoice } from '../contract/contract.ts';
import { ApiError, invalidRequest, notFound } from '../contract/errors.ts';
import { chooseFallbacks } from './choose-fallbacks.ts';
import { compose, isSameChoice } from './compose.ts';
import type { Composition } from './composition.ts';
import type { CompositionStore } from './composition-store.ts';
import { findComposition } from './find-composition.ts';
import type { Verdict } from './health/release-health.ts';
import type { Release } from './release.ts';

export interface Chooser {
  store: CompositionStore;
  /** What is live, or null before anything was. */
  live: Composition | null;
  /** What pages told of releases, by name. */
  verdicts: ReadonlyMap<string, Verdict>;
  author: string;
  reason: string;
  now: Date;
}

/**
 * The composition that `choice` means upon what is live; it may not be kept yet. What comes to the same releases as are live is
 * the live one itself, so that choosing what is there changes nothing.
 *
 * @throws notFound for a release or a composition that is not there; invalidRequest for two releases of one remote, for leaving
 *   out what is not in it, and where there would be no host.
 */
export async function chooseComposition(choice: CompositionChoice, chooser: Chooser): Promise<Composition> {
  const { store, live, verdicts, author, reason, now } = chooser;
  if ('composition' in choice) return findComposition(store, choice.composition);
  const { without = [] } = choice;
  const releases = await readReleases(choice.releases, store);
  const names = releases.map(({ name }) => name);
  if (new Set(names).size < names.length) throw invalidRequest('releases');
  assertLeftOut(without, names, live);
  if (!live && !names.includes('host')) throw needsHost('releases');
  const wanted = { releases, without, parent: live, author, reason, createdAt: now };
  const fallbacks = await chooseFallbacks(compose(wanted), live, verdicts, store);
  const chosen = compose({ ...wanted, fallbacks });
  return live && isSameChoice(live, chosen) ? live : chosen;
}

async function readReleases(ids: readonly string[], { releases }: CompositionStore): Promise<Release[]> {
  const wanted = [...new Set(ids)];
  const found = await releases.find({ _id: { $in: wanted }, publishedAt: { $ne: null } }).lean<Release[]>();
  const known = new Map(found.map((release) => [release._id, release]));
  return wanted.map((id) => {
    const release = known.get(id);
    if (!release) throw notFound('release', id);
    return release;
  });
}

/** Whoever leaves out what is not there has mistyped it. */
function assertLeftOut(
  without: readonly string[],
  chosen: readonly string[],
  live: Composition | null,
): void {
  if (without.includes('host')) throw needsHost('without');
  const known = new Set(live?.remotes.map(({ name }) => name));
  for (const name of without) if (!known.has(name) || chosen.includes(name)) throw invalidRequest('without');
}

function needsHost(field: string): ApiError {
  return new ApiError(400, 'invalid_request', 'needs_host', { field });
}
