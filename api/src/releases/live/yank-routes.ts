import { type MoveKind, UnyankRequest, YankRequest } from '../../contract/compositions.ts';
import type { ReleaseUse, YankedRelease } from '../../contract/releases.ts';
import { ApiError, notFound } from '../../errors/errors.ts';
import type { DeskContext } from '../../http/desk-state.ts';
import { createRoutes, type DeskRoutes, idOf } from '../../http/routes.ts';
import { releasesOf } from '../data/changes-between.ts';
import {
  type CompositionStore,
  compositionsById,
  publishedRelease,
  storesOf,
} from '../data/composition-store.ts';
import { type MoveNote, movePointer, readPointer } from '../data/move-pointer.ts';
import type { Release, Yanked } from '../data/release.ts';
import type { RegisterDeps } from '../publish/receive-release.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';

/** Withdrawing a release concerns every environment, so it takes the right to publish it. */
export function createYankRoutes({ ops, releases }: { ops: OpsGuard; releases: RegisterDeps }): DeskRoutes {
  const router = createRoutes('/ops/releases/:id');

  router.post('/yank', ops.needPublisher, YankRequest, (ctx, request) =>
    yankRelease(permitted(ctx), request, releases),
  );

  router.post('/unyank', ops.needPublisher, UnyankRequest, (ctx, request) =>
    unyankRelease(permitted(ctx), request, releases),
  );

  return router;

  function permitted(ctx: DeskContext): string {
    const id = idOf(ctx);
    ops.assertPermitted(ctx, `release:${id.slice(0, Math.max(0, id.indexOf('@')))}`);
    return id;
  }
}

/** Attempts, as the pointer may have been moved meanwhile. */
const MAX_ATTEMPTS = 20;

interface Note {
  author: string;
  reason: string;
}

type YankDeps = Pick<RegisterDeps, 'store' | 'now'>;

/**
 * Withdraws a release: it is not selected any more, and no page falls back to it. Live compositions stay live; the
 * result names it. First the release is marked, then the pointer of every environment is moved without changing
 * what is live: a change that was decided before the mark loses its compare-and-set, processes forget their
 * rendered pages, and the history of every environment shows it. If the process is killed in between, yanking
 * again completes it.
 * @throws notFound if it is not published.
 */
async function yankRelease(id: string, note: Note, { store, now }: YankDeps): Promise<YankedRelease> {
  const mark: Yanked = { at: now(), author: note.author, reason: note.reason };
  await store.releases.updateOne(
    { _id: id, publishedAt: { $ne: null }, 'yanked.at': { $exists: false } },
    { $set: { yanked: mark } },
  );
  const release = await find(id, store);
  const uses = await announce('yank', id, note, { store, now });
  const yanked = release.yanked ?? mark;
  return { release: id, yanked: { ...yanked, at: yanked.at.toISOString() }, uses };
}

/** Makes it selectable again. @throws notFound if it is not published, or not yanked. */
async function unyankRelease(id: string, note: Note, { store, now }: YankDeps): Promise<YankedRelease> {
  await find(id, store);
  const done = await store.releases.updateOne(
    { _id: id, 'yanked.at': { $exists: true } },
    { $unset: { yanked: '' } },
  );
  if (done.matchedCount === 0) throw notFound('yank', id);
  return { release: id, yanked: null, uses: await announce('unyank', id, note, { store, now }) };
}

async function find(id: string, store: CompositionStore): Promise<Release> {
  const release = await publishedRelease(store, id);
  if (!release) throw notFound('release', id);
  return release;
}

/** Moves the pointer of every environment. Returns where visitors get the release. */
async function announce(kind: MoveKind, id: string, { author, reason }: Note, { store, now }: YankDeps) {
  const note = { kind, author, reason: reason ? `${id}: ${reason}` : id };
  const uses: ReleaseUse[] = [];
  for (const one of await storesOf(store)) {
    await moveInPlace(one, note, now);
    uses.push(...(await usesOf(one, id)));
  }
  return uses;
}

async function moveInPlace(store: CompositionStore, note: MoveNote, now: () => Date): Promise<void> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    const pointer = await readPointer(store);
    if (!pointer || (await movePointer(store, pointer, {}, note, now()))) return;
  }
  throw new ApiError('unavailable');
}

async function usesOf(store: CompositionStore, id: string): Promise<ReleaseUse[]> {
  const pointer = await readPointer(store);
  if (!pointer) return [];
  const { environment } = store;
  const shown = [
    { role: 'live' as const, composition: pointer.composition },
    ...pointer.canaries.map(({ composition }) => ({ role: 'canary' as const, composition })),
  ];
  const known = await compositionsById(
    store,
    shown.map(({ composition }) => composition),
  );
  return shown.flatMap(({ role, composition }) =>
    releasesOf(known.get(composition)).includes(id) ? [{ environment, role, composition }] : [],
  );
}
