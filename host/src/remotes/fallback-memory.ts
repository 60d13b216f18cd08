import type { Composition } from './composition.ts';

/** Stores the remotes for which this tab uses the previous release, so that a reload does not wait for the live release again. */
export interface FallbackMemory {
  read(): string[];
  write(remotes: readonly string[]): void;
}

const KEY = 'desk:fallbacks';

/** Valid for one composition only. Not used with an override, which exists to try out a release: it is loaded every time. */
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
        return []; // No or unreadable storage: the live release is tried again.
      }
    },
    write(remotes) {
      if (!id || override) return;
      try {
        storage().setItem(KEY, JSON.stringify({ composition: id, remotes }));
      } catch {
        // No storage: the live release is tried again after a reload.
      }
    },
  };
}
