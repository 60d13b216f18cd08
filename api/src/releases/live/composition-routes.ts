import type { z } from 'zod';
import {
  ChangeNote,
  CheckRequest,
  DiffQuery,
  EnvironmentInfo,
  FreezeRequest,
  ImportComposition,
  type ImportedComposition,
  PinRequest,
  type PointerInfo,
  RollBack,
  SetComposition,
  SetPointer,
  UnpinRequest,
} from '../../contract/compositions.ts';
import { PageQuery } from '../../contract/fields.ts';
import type { Language } from '../../contract/language.ts';
import { ApiError, invalidRequest } from '../../errors/errors.ts';
import { createRoutes, type DeskRoutes, idOf } from '../../http/routes.ts';
import { type PageRequest, readPage } from '../../store/cursor.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { describeAs } from '../../store/describe-as.ts';
import { createChangeCalls } from '../changes/change-routes.ts';
import type { Changes } from '../changes/changes.ts';
import { canonicalHash } from '../data/canonical-hash.ts';
import { partsOf, releasesOf } from '../data/changes-between.ts';
import {
  type CompositionStore,
  findComposition,
  publishedReleases,
  readComposition,
  storesOf,
} from '../data/composition-store.ts';
import { PRODUCTION } from '../data/environment.ts';
import { readPointer } from '../data/move-pointer.ts';
import { pointerIn, reasonIn } from '../data/reasons.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import { readDiff } from './compare-compositions.ts';
import { storeComposition } from './compose.ts';
import type { Composing } from './composing.ts';
import { describeComposition } from './describe-composition.ts';
import { readHistory } from './history.ts';
import type { Restrictions } from './restrictions.ts';

/** Routes to read the live, past and possible compositions (if signed in), and to change or freeze them. */
export function createCompositionRoutes(deps: {
  store: CompositionStore;
  composing: Composing;
  restrictions: Restrictions;
  changes: Changes;
  ops: OpsGuard;
}): DeskRoutes {
  const { store, composing, restrictions, changes, ops } = deps;
  const { needCompose, needReader, needTeam } = ops;
  const change = createChangeCalls(changes, ops);
  const router = createRoutes('/ops');

  router.get('/compositions', needReader, PageQuery, (_, page) => listCompositions(store, page));

  router.post('/compositions', ops.need('preview'), SetComposition, async (ctx, request) => {
    const { info, isNew } = await composing.keep(request, request);
    ctx.status = isNew ? 201 : 200;
    return info;
  });

  router.post('/compositions/import', needCompose, ImportComposition, async (ctx, given) => {
    const imported = await importComposition(given, store);
    ctx.status = imported.isNew ? 201 : 200;
    return imported;
  });

  router.get('/compositions/:id', needReader, async (ctx) =>
    describeComposition(await findComposition(store, idOf(ctx))),
  );

  router.get('/environments', needReader, async () => ({ environments: await listEnvironments(store) }));

  router.get('/pointer', needReader, async ({ state }) =>
    pointerIn(state.language, await composing.pointer()),
  );

  const set = change({
    kind: 'set',
    schema: SetPointer,
    check: (request, language) => assertChoiceFits(composing, request, language),
    apply: composing.set,
  });
  router.post('/pointer', ...set);

  const rollBack = change({
    kind: 'rollback',
    schema: RollBack,
    check: async ({ to }) => findComposition(store, to ?? ''),
    // An earlier live composition was approved at that time, and repairing the desk must not wait for a second person.
    isUrgent: async ({ to }) =>
      to === undefined || ((await composing.pointer()).previous?.startsWith(to) ?? false),
    apply: composing.rollBack,
  });
  router.post('/pointer/rollback', ...rollBack);

  router.get('/history', needReader, PageQuery, async ({ state }, page) => {
    const { moves, nextCursor } = await readHistory(store, page);
    const told = moves.map((move) => ({ ...move, reason: reasonIn(state.language, move.reason) }));
    return { moves: told, nextCursor };
  });

  router.get('/diff', needReader, DiffQuery, async (_, { from, to }) => {
    const [before, after] = await Promise.all([findComposition(store, from), findComposition(store, to)]);
    return readDiff(store, before, after);
  });

  const restrict = <T>(path: string, schema: z.ZodType<T>, apply: (request: T) => Promise<PointerInfo>) =>
    router.post(path, needCompose, schema, async ({ state }, given) =>
      pointerIn(state.language, await apply(given)),
    );
  restrict('/freeze', FreezeRequest, restrictions.freeze);
  restrict('/unfreeze', ChangeNote, restrictions.unfreeze);
  restrict('/pin', PinRequest, restrictions.pin);
  restrict('/unpin', UnpinRequest, restrictions.unpin);

  // A check changes nothing but makes requests to other servers: allowed with every token that permits more
  // than reading, but not for everyone.
  router.post('/check', needTeam, CheckRequest, ({ state }, { author = 'check', reason = '', ...request }) =>
    composing.check(request, { ...request, author, reason }, state.language),
  );

  return router;
}

/** @throws check_failed if the choice could not go live, and pointer_moved. */
export async function assertChoiceFits(composing: Composing, request: SetComposition, language: Language) {
  const { isFine, findings } = await composing.check(request, request, language);
  if (!isFine) throw new ApiError('check_failed', { findings });
}

/** @throws invalidRequest('id') if that is not the hash of its content; releasesMissing; releasesDiffer */
async function importComposition(
  exported: ImportComposition,
  store: CompositionStore,
): Promise<ImportedComposition> {
  const { id, host, remotes, parent, author, reason } = exported;
  if (canonicalHash({ host, remotes, parent }) !== id) throw invalidRequest('id', 'composition_edited');
  const parts = partsOf(exported);
  const fallbacks = parts.flatMap(({ previous }) => (previous === null ? [] : [previous]));
  const wanted = [...releasesOf(exported), ...fallbacks];
  const known = await publishedReleases(store, wanted);
  const missing = releasesOf(exported).filter((release) => !known.has(release));
  if (missing.length > 0) throw new ApiError('releases_missing', { name: missing.join(', ') });
  const other = parts.filter(({ release, digest }) => known.get(release)?.digest !== digest);
  if (other.length > 0)
    throw new ApiError('releases_differ', { name: other.map(({ release }) => release).join(', ') });
  const existing = await readComposition(store, id);
  const content = { host, remotes, parent, author, reason };
  const composition = existing ?? { _id: id, ...content, createdAt: databaseDate() };
  if (!existing) await storeComposition(composition, store);
  return {
    composition: describeComposition(composition),
    isNew: !existing,
    missingFallbacks: [...new Set(fallbacks)].filter((release) => !known.has(release)),
  };
}

/** Newest first. @throws invalidRequest('cursor') */
async function listCompositions({ compositions }: CompositionStore, request: PageRequest) {
  const { page, nextCursor } = await readPage(compositions, 'createdAt', 'compositions', request);
  return { compositions: page.map(describeComposition), nextCursor };
}

/** The own environment and all others of the database in which something has been live: production first, then by name. */
async function listEnvironments(own: CompositionStore): Promise<EnvironmentInfo[]> {
  const others = (await storesOf(own)).filter(({ environment }) => environment !== own.environment);
  const described = await Promise.all([own, ...others].map((store) => describe(store, store === own)));
  const rank = ({ name }: EnvironmentInfo) => (name === PRODUCTION ? '' : name);
  return described.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

async function describe(store: CompositionStore, isOwn: boolean): Promise<EnvironmentInfo> {
  const pointer = await readPointer(store);
  const live = pointer && (await readComposition(store, pointer.composition));
  return describeAs(EnvironmentInfo, {
    name: store.environment,
    isOwn,
    revision: pointer?.revision ?? 0,
    composition: live && describeComposition(live),
    movedAt: pointer?.movedAt ?? null,
  });
}
