import type { CompositionChoice } from '../../contract/compositions.ts';
import { ApiError, invalidRequest, notFound } from '../../errors/errors.ts';
import type { Composition } from '../data/composition.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import { findComposition } from '../data/find-composition.ts';
import type { Release } from '../data/release.ts';
import type { Verdict } from '../health/release-health.ts';
import { chooseFallbacks } from './choose-fallbacks.ts';
import { compose, isSameChoice } from './compose.ts';

export interface Chooser {
  store: CompositionStore;
  /** The live composition, or null if there has been none. */
  live: Composition | null;
  /** Verdicts from page reports, by release name. */
  verdicts: ReadonlyMap<string, Verdict>;
  author: string;
  reason: string;
  now: Date;
}

/**
 * Returns the composition that `choice` describes relative to the live one; it may not be stored yet. If the
 * result has the same releases as the live composition, the live one is returned, so that choosing it again
 * changes nothing.
 * @throws notFound for an unknown release or composition; invalidRequest for two releases of one remote, for
 * leaving out a remote that is not included, or if there would be no host.
 */
export async function chooseComposition(choice: CompositionChoice, chooser: Chooser): Promise<Composition> {
  const { store, live, verdicts, author, reason, now } = chooser;
  if ('composition' in choice) return findComposition(store, choice.composition);
  const { without = [] } = choice;
  const releases = await readReleases(choice.releases ?? [], store);
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

/** Leaving out something that is not included is most likely a typing error. */
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
  return new ApiError('needs_host', { field });
}
