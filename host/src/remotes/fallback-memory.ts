import type { Composition } from './composition.ts';

const KEY = 'desk:fallbacks';

export type FallbackMemory = ReturnType<typeof createFallbackMemory>;

/**
 * Stores the remotes for which this tab uses the previous release, so that a reload does not wait for the live release again.
 * Valid for one composition only. Not used with an override, which exists to try out a release: it is loaded every time. A page that
 * was opened without the server (`isSaved`) adds none: a file that the browser had not stored says nothing about the release.
 */
export function createFallbackMemory(
  { id, override }: Pick<Composition, 'id' | 'override'>,
  storage: () => Pick<Storage, 'getItem' | 'setItem'>,
  isSaved = false,
) {
  return {
    read(): string[] {
      if (!id || override) return [];
      try {
        const { composition, remotes } = JSON.parse(storage().getItem(KEY) ?? '{}');
        return composition === id && Array.isArray(remotes) ? remotes : [];
      } catch {
        return []; // No or unreadable storage: the live release is tried again.
      }
    },
    write(remotes: readonly string[]): void {
      if (!id || override || isSaved) return;
      try {
        storage().setItem(KEY, JSON.stringify({ composition: id, remotes }));
      } catch {
        // Without storage, the live release is tried again after a reload.
      }
    },
  };
}
