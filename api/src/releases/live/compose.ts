import type { CompositionChoice } from '../../contract/compositions.ts';
import { ApiError, invalidRequest, notFound } from '../../errors/errors.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import { isCompatible } from '../check/compatibility.ts';
import { canonicalHash } from '../data/canonical-hash.ts';
import { byName, partsOf, releasesOf } from '../data/changes-between.ts';
import {
  type Chosen,
  type Composition,
  type CompositionStore,
  findComposition,
  publishedReleases,
} from '../data/composition-store.ts';
import type { Release } from '../data/release.ts';
import type { Verdict } from '../health/release-health.ts';

export interface NewComposition {
  /** Releases of the host and the remotes; parts of the parent that are not listed are inherited. */
  releases: readonly Release[];
  /** Names of remotes that are not inherited from the parent. */
  without?: readonly string[];
  parent: Composition | null;
  /** If omitted, each part falls back to its release in the parent. */
  fallbacks?: Fallbacks;
  author: string;
  reason: string;
  createdAt: Date;
}

/** Returns a composition without storing it. The same choice and parent give the same id. Throws if there would be no host. */
export function compose(choice: NewComposition): Composition {
  const { releases, without = [], parent, fallbacks, author, reason, createdAt } = choice;
  const before = byName(partsOf(parent));
  const after = new Map(before);
  for (const name of without) after.delete(name);
  for (const release of releases) after.set(release.name, choose(release, before.get(release.name)));
  const host = after.get('host');
  if (!host) throw new Error('a composition needs a host, got none');
  const remotes = [...after.values()]
    .filter(({ name }) => name !== 'host')
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const withFallback = (part: Chosen): Chosen => ({
    ...part,
    previous: fallbacks ? (fallbacks.get(part.name) ?? null) : part.previous,
  });
  const content = {
    host: withFallback(host),
    remotes: remotes.map(withFallback),
    parent: parent?._id ?? null,
  };
  return { _id: canonicalHash(content), ...content, author, reason, createdAt };
}

/** Whether two compositions run the same code. */
export function isSameChoice(a: Composition, b: Composition): boolean {
  return releasesOf(a).join() === releasesOf(b).join();
}

/** Stores a composition; storing it twice is not an error. */
export async function storeComposition(composition: Composition, { compositions }: CompositionStore) {
  await unlessDuplicate(compositions.create(composition));
}

function choose(release: Release, before: Chosen | undefined): Chosen {
  const { _id, name, version, base, digest } = release;
  const previous = before?.release === _id ? before.previous : (before?.release ?? null);
  return { name, release: _id, version, base, digest, previous };
}

/** Keyed by remote name or `host`: the release that its tabs fall back to, or null if none is suitable. */
type Fallbacks = ReadonlyMap<string, string | null>;

/**
 * Chooses the fallback of each part of `wanted`: the newest other release that pages reported as working. If
 * none is known to work, it is the previous one, unless pages reported that it fails. An unchanged part keeps
 * its fallback as long as that is not failing.
 */
export async function chooseFallbacks(
  wanted: Pick<Composition, 'host' | 'remotes'>,
  parent: Composition | null,
  verdicts: ReadonlyMap<string, Verdict>,
  { releases }: CompositionStore,
): Promise<Fallbacks> {
  const before = byName(partsOf(parent));
  const working = [...verdicts].filter(([, verdict]) => verdict === 'working').map(([release]) => release);
  const fields = { name: 1, contract: 1, shared: 1, exposes: 1, routes: 1 };
  const [chosen, known] = await Promise.all([
    releases.find({ _id: { $in: releasesOf(wanted) } }, fields).lean(),
    releases
      .find({ _id: { $in: working }, publishedAt: { $ne: null } }, fields)
      .sort({ publishedAt: -1, _id: -1 })
      .lean(),
  ]);
  const host = chosen.find(({ name }) => name === 'host');
  const shows = ({ name, exposes }: (typeof known)[number]) => {
    const modules = chosen.find((one) => one.name === name)?.routes.map(({ module }) => module) ?? [];
    return modules.every((module) => exposes.some((exposed) => exposed.name === module));
  };
  const suits = (one: (typeof known)[number]) =>
    one.name === 'host' || !host || (isCompatible(host, one) && shows(one));

  const choose = ({ name, release }: Chosen): string | null => {
    const last = before.get(name);
    const isFit = (id: string | null) => id !== null && id !== release && verdicts.get(id) !== 'failing';
    const kept = last?.release === release ? last.previous : null;
    if (isFit(kept)) return kept;
    const found = known.find((one) => one.name === name && one._id !== release && suits(one))?._id;
    return found ?? [last?.release ?? null, last?.previous ?? null].find(isFit) ?? null;
  };
  return new Map(partsOf(wanted).map((part) => [part.name, choose(part)]));
}

interface Chooser {
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

async function readReleases(ids: readonly string[], store: CompositionStore): Promise<Release[]> {
  const wanted = [...new Set(ids)];
  const known = await publishedReleases(store, wanted);
  return wanted.map((id) => {
    const release = known.get(id);
    if (!release) throw notFound('release', id);
    return release;
  });
}

/** Leaving out something that is not included is most likely a typing error. */
function assertLeftOut(without: readonly string[], chosen: readonly string[], live: Composition | null) {
  if (without.includes('host')) throw needsHost('without');
  const known = new Set(live?.remotes.map(({ name }) => name));
  for (const name of without) if (!known.has(name) || chosen.includes(name)) throw invalidRequest('without');
}

function needsHost(field: string): ApiError {
  return new ApiError('needs_host', { field });
}
