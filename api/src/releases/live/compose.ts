import { unlessDuplicate } from '../../store/store-failure.ts';
import { canonicalHash } from '../data/canonical-hash.ts';
import type { Chosen, Composition } from '../data/composition.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import type { Release } from '../data/release.ts';
import type { Fallbacks } from './choose-fallbacks.ts';

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

/**
 * Creates a composition without storing it. The same choice with the same parent always gets the same id.
 * Throws if there would be no host.
 */
export function compose(choice: NewComposition): Composition {
  const { releases, without = [], parent, fallbacks, author, reason, createdAt } = choice;
  const before = new Map(
    parent ? [parent.host, ...parent.remotes].map((chosen) => [chosen.name, chosen]) : [],
  );
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
  const names = ({ host, remotes }: Composition) =>
    [host, ...remotes].map(({ release }) => release).join(' ');
  return names(a) === names(b);
}

/** Stores a composition; storing it twice is not an error. */
export async function storeComposition(
  composition: Composition,
  { compositions }: CompositionStore,
): Promise<void> {
  await unlessDuplicate(compositions.create(composition));
}

function choose(release: Release, before: Chosen | undefined): Chosen {
  const { _id, name, version, base, digest } = release;
  const previous = before?.release === _id ? before.previous : (before?.release ?? null);
  return { name, release: _id, version, base, digest, previous };
}
