import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import type { PageOverride } from '../../contract/pages.ts';
import { ApiError } from '../../errors/errors.ts';
import { partsOf } from '../data/changes-between.ts';
import {
  type Chosen,
  type CompositionStore,
  publishedReleases,
  readComposition,
} from '../data/composition-store.ts';
import { readPointer } from '../data/move-pointer.ts';
import type { Pointer } from '../data/pointer.ts';
import { type Release, type Route, routesOf } from '../data/release.ts';
import { isElsewhere } from '../data/release-keys.ts';

/** A composition with its releases, ready to be rendered. */
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

/** Size of the cache: the live composition, the previous one, four canaries with their combinations, and previews. */
const CACHE_SIZE = 24;

export type LiveComposition = ReturnType<typeof createLiveComposition>;

/** Reads the pointer on every call, the rest once per composition. Built-in addresses have `basePath`. */
export function createLiveComposition(store: CompositionStore, basePath = '') {
  const resolved = new LRUCache<string, Promise<ResolvedComposition>>({ max: CACHE_SIZE });
  let last: Live | undefined;

  /** Any stored composition. Rejects if it does not exist or names a release that is not published. */
  function resolve(id: string): Promise<ResolvedComposition> {
    const known = resolved.get(id);
    if (known) return known;
    const reading = resolveComposition(id, store, basePath);
    resolved.set(id, reading);
    reading.catch(() => resolved.delete(id));
    return reading;
  }

  async function readLive(): Promise<Live | undefined> {
    const pointer = await readPointer(store);
    // A release may have been yanked: it is no fallback any more.
    if (pointer && pointer.revision !== last?.pointer.revision) resolved.clear();
    return pointer ? { pointer, composition: await resolve(pointer.composition) } : undefined;
  }

  /**
   * The currently live composition, for every process on this store; while the store is unavailable, the last
   * known one. undefined if nothing has been published. Rejects if the store has never responded.
   */
  async function read(): Promise<Live | undefined> {
    try {
      last = await readLive();
    } catch (cause) {
      // A page that loads and reports that the API is unreachable is better than none.
      if (!last) throw cause;
    }
    return last;
  }

  return {
    read,
    /** The same. @throws unavailable if nothing has been published */
    async need(): Promise<Live> {
      const now = await read();
      if (!now) throw new ApiError('unavailable', { retryAfter: 5 });
      return now;
    },
    resolve,
  };
}

/** The routes of its live releases, not of their fallbacks. */
export function liveRoutesOf({ host, remotes }: ResolvedComposition): Route[] {
  return routesOf(
    host.live,
    remotes.map(({ live }) => live),
  );
}

async function resolveComposition(id: string, store: CompositionStore, basePath: string) {
  const composition = await readComposition(store, id);
  if (!composition) throw new Error(`composition does not exist: ${id}`);
  const ids = partsOf(composition).flatMap(({ release, previous }) =>
    previous ? [release, previous] : [release],
  );
  const found = await publishedReleases(store, ids);
  const released = (release: Release): Release =>
    isElsewhere(release) ? release : { ...release, base: basePath + release.base };
  const releases = new Map([...found].map(([release, one]) => [release, released(one)]));
  const resolvePart = (chosen: Chosen): ResolvedPart => {
    const live = releases.get(chosen.release);
    if (!live) throw new Error(`composition ${id} names ${chosen.release}, which is not published`);
    const previous = chosen.previous && releases.get(chosen.previous);
    return { live, previous: previous && !previous.yanked ? previous : null };
  };
  return { id, host: resolvePart(composition.host), remotes: composition.remotes.map(resolvePart) };
}

/** The composition that a visitor's page is rendered with. */
export interface PageChoice {
  composition: ResolvedComposition;
  /** Marks the page as a preview for this visitor only. */
  override?: PageOverride;
  /** Address of a page that the visitor has to answer first: nothing else is sent. */
  confirmAt?: string;
}

/** Chooses the composition of a visitor's page, and sets cookies. If it returns undefined or rejects, the next function chooses. */
export type ChoosePage = (ctx: Context, live: Live) => Promise<PageChoice | undefined>;

/** The first result of `choosers`, otherwise the live composition. */
export async function choosePage(
  ctx: Context,
  live: Live,
  choosers: readonly ChoosePage[],
  onFailure: (cause: unknown) => void,
): Promise<PageChoice> {
  for (const choose of choosers) {
    try {
      const choice = await choose(ctx, live);
      if (choice) return choice;
    } catch (cause) {
      onFailure(cause);
    }
  }
  return { composition: live.composition };
}
