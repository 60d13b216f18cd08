import type { Chosen, Composition } from './composition.ts';
import type { CompositionStore } from './composition-store.ts';
import { readPointer } from './move-pointer.ts';
import type { Pointer } from './pointer.ts';
import type { Release } from './release.ts';

/** A composition with the releases that it names, ready to be rendered. */
export interface ResolvedComposition {
  id: string;
  host: ResolvedPart;
  /** Sorted by name. */
  remotes: ResolvedPart[];
}

export interface ResolvedPart {
  live: Release;
  previous: Release | null;
}

export interface Live {
  pointer: Pointer;
  composition: ResolvedComposition;
}

export interface LiveComposition {
  /**
   * What is live at this moment, for every process that shares the store; while the store does not answer, what was live when it
   * last did. undefined when nothing has been published. Rejects when the store has not answered yet.
   */
  read(): Promise<Live | undefined>;
  /** Any composition that is there. Rejects for one that is not, or that names a release which is not published. */
  resolve(id: string): Promise<ResolvedComposition>;
}

/** The live one, the one before, a canary, and what developers look at. */
const KEPT = 12;

/** Reads the pointer at every call (one indexed read) and the rest once per composition, which never changes. */
export function createLiveComposition(store: CompositionStore): LiveComposition {
  const resolved = new Map<string, Promise<ResolvedComposition>>();
  let last: Live | undefined;

  function resolve(id: string): Promise<ResolvedComposition> {
    const known = resolved.get(id);
    if (known) {
      // To the end of the line: the oldest in use goes first.
      resolved.delete(id);
      resolved.set(id, known);
      return known;
    }
    const reading = resolveComposition(id, store);
    resolved.set(id, reading);
    reading.catch(() => resolved.delete(id));
    for (const oldest of [...resolved.keys()].slice(0, -KEPT)) resolved.delete(oldest);
    return reading;
  }

  async function readLive(): Promise<Live | undefined> {
    const pointer = await readPointer(store);
    return pointer ? { pointer, composition: await resolve(pointer.composition) } : undefined;
  }

  return {
    async read() {
      try {
        last = await readLive();
      } catch (cause) {
        // A page that stands and says that the desk cannot be reached is worth more than none.
        if (!last) throw cause;
      }
      return last;
    },
    resolve,
  };
}

async function resolveComposition(id: string, store: CompositionStore): Promise<ResolvedComposition> {
  const composition = await store.compositions.findById(id).lean<Composition>();
  if (!composition) throw new Error(`there is no composition ${id}`);
  const parts = [composition.host, ...composition.remotes];
  const ids = parts.flatMap(({ release, previous }) => (previous ? [release, previous] : [release]));
  const found = await store.releases
    .find({ _id: { $in: ids }, publishedAt: { $ne: null } })
    .lean<Release[]>();
  const releases = new Map(found.map((release) => [release._id, release]));
  const resolvePart = (chosen: Chosen): ResolvedPart => {
    const live = releases.get(chosen.release);
    if (!live) throw new Error(`composition ${id} names ${chosen.release}, which is not published`);
    return { live, previous: (chosen.previous && releases.get(chosen.previous)) || null };
  };
  return { id, host: resolvePart(composition.host), remotes: composition.remotes.map(resolvePart) };
}
