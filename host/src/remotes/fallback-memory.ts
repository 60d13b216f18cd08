import type { Composition } from './composition.ts';

/** The remotes whose previous release this tab uses: a reload then does not wait for the live one again. */
export interface FallbackMemory {
  read(): string[];
  write(remotes: readonly string[]): void;
}

const KEY = 'desk:fallbacks';

/** Kept for one composition. A page for one visitor is there to try a release out, so it begins with that release every time. */
export function createFallbackMemory(
  { id, override }: Pick<Composition, 'id' | 'override'>,
  storage: () => Pick<Storage, 'getItem' | 'setItem'>,
): FallbackMemory {
  return {
    read() {
      if (!id || override) return [];
      try {
        const { composition, remotes } = JSON.parse(storage().getItem(KEY) ?? '{}');
        return composition === id && Array.isArray(remotes) ? remotes : [];
      } catch {
        return []; // No storage, or not readable: the live release is tried again.
      }
    },
    write(remotes) {
      if (!id || override) return;
      try {
        storage().setItem(KEY, JSON.stringify({ composition: id, remotes }));
      } catch {
        // No storage: a reload tries the live release again.
      }
    },
  };
}
