import { isCompatible } from '../check/compatibility.ts';
import type { Chosen, Composition } from '../data/composition.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import type { Release } from '../data/release.ts';
import type { Verdict } from '../health/release-health.ts';

/** Keyed by remote name or `host`: the release that its tabs fall back to, or null if none is suitable. */
export type Fallbacks = ReadonlyMap<string, string | null>;

/**
 * Chooses the fallback of each part of `wanted`: the newest other release that pages reported as working. If
 * none is known to work, it is the previous one, unless pages reported that it fails. An unchanged part keeps
 * its fallback as long as that is not failing.
 */
export async function chooseFallbacks(
  wanted: Pick<Composition, 'host' | 'remotes'>,
  parent: Composition | null,
  verdicts: ReadonlyMap<string, Verdict>,
  { releases }: Pick<CompositionStore, 'releases'>,
): Promise<Fallbacks> {
  const before = new Map((parent ? [parent.host, ...parent.remotes] : []).map((part) => [part.name, part]));
  const working = [...verdicts].filter(([, verdict]) => verdict === 'working').map(([release]) => release);
  const fields = { name: 1, contract: 1, shared: 1, exposes: 1, routes: 1 };
  const ids = [wanted.host, ...wanted.remotes].map(({ release }) => release);
  const [chosen, known] = await Promise.all([
    releases.find({ _id: { $in: ids } }, fields).lean<Release[]>(),
    releases
      .find({ _id: { $in: working }, publishedAt: { $ne: null } }, fields)
      .sort({ publishedAt: -1, _id: -1 })
      .lean<Release[]>(),
  ]);
  const host = chosen.find(({ name }) => name === 'host');
  const shows = ({ name, exposes }: Release) => {
    const modules = chosen.find((one) => one.name === name)?.routes.map(({ module }) => module) ?? [];
    return modules.every((module) => exposes.some((exposed) => exposed.name === module));
  };
  const suits = (one: Release) => one.name === 'host' || !host || (isCompatible(host, one) && shows(one));

  const choose = ({ name, release }: Chosen): string | null => {
    const last = before.get(name);
    const isFit = (id: string | null) => id !== null && id !== release && verdicts.get(id) !== 'failing';
    const kept = last?.release === release ? last.previous : null;
    if (isFit(kept)) return kept;
    const found = known.find((one) => one.name === name && one._id !== release && suits(one))?._id;
    return found ?? [last?.release ?? null, last?.previous ?? null].find(isFit) ?? null;
  };
  return new Map([wanted.host, ...wanted.remotes].map((part) => [part.name, choose(part)]));
}
