import type { Logger } from 'pino';
import { z } from 'zod';
import { type ReleaseDetails, ReleaseQuery, ReleaseSummary, ReleaseUpload } from '../../contract/releases.ts';
import { type ResolvedStack, StackRequest } from '../../contract/reports.ts';
import { ApiError, notFound } from '../../errors/errors.ts';
import type { DeskContext, DeskMiddleware } from '../../http/desk-state.ts';
import { readBody } from '../../http/read-body.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from '../../http/routes.ts';
import { type PageRequest, readPage } from '../../store/cursor.ts';
import { describeAs } from '../../store/describe-as.ts';
import { releasesOf } from '../data/changes-between.ts';
import { type CompositionStore, compositionsById, publishedRelease } from '../data/composition-store.ts';
import { readPointer } from '../data/move-pointer.ts';
import { runningCanaries } from '../data/pointer.ts';
import { type Release, rangesOf } from '../data/release.ts';
import { ReleaseDescription } from '../data/release-description.ts';
import { isElsewhere } from '../data/release-keys.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import { hasAny } from '../tokens/tokens.ts';
import { readWhole } from './encode.ts';
import {
  claimRelease,
  finishRelease,
  type RegisterDeps,
  receiveReleaseFile,
  registerRelease,
} from './receive-release.ts';
import { resolveStack } from './resolve-stack.ts';

const Upload = ReleaseDescription.safeExtend({ address: z.string().max(1000).optional() });

/** A pattern, since the path of a file contains slashes. */
const FILE_PATH = /^\/ops\/releases\/([^/]+)\/files\/(.+)$/;

/** /ops/releases: teams publish, any signed-in user may read. */
export function createReleaseRoutes(deps: {
  ops: OpsGuard;
  releases: RegisterDeps;
  log: Logger;
}): DeskRoutes {
  const { ops, releases, log } = deps;
  const router = createRoutes();
  const { store } = releases;
  /** @throws forbidden for a token of another remote. */
  const mayPublish = (ctx: DeskContext, name: string) => ops.assertPermitted(ctx, `release:${name}`);
  /** The right to copy a release to another server, which promotions need as well. */
  const mayCopy = (ctx: DeskContext, name: string) =>
    hasAny(ctx.state.opsToken.scopes, 'compose') || mayPublish(ctx, name);
  const audit = ({ state }: DeskContext, release: string) =>
    log.info(
      { requestId: state.requestId, release, publisher: state.opsToken.name },
      'a release was published',
    );

  router.get('/ops/releases', ops.needReader, ReleaseQuery, (_, query) => listReleases(store, query));
  router.get('/ops/releases/:id', ops.needReader, (ctx) => describeRelease(store, idOf(ctx)));

  router.post('/ops/releases', ops.needPublisher, Upload, async (ctx, { address, ...upload }) => {
    mayPublish(ctx, upload.name);
    const { language } = ctx.state;
    const publisher = ctx.state.opsToken.name;
    if (address === undefined) return claimRelease(upload, publisher, releases);
    const registered = await registerRelease({ ...upload, address }, publisher, language, releases, () =>
      ops.assertStillValid(ctx),
    );
    audit(ctx, registered.id);
    return registered;
  });

  router.get('/ops/releases/:id/upload', ops.needTeam, async (ctx) => {
    mayCopy(ctx, nameOf(idOf(ctx)));
    return uploadOf(await findRelease(store, idOf(ctx)));
  });

  // Unlike the addresses for browsers, this includes source maps.
  router.get(FILE_PATH, ops.needTeam, async (ctx) => {
    const { id, path } = fileOf(ctx);
    mayCopy(ctx, nameOf(id));
    const release = await findRelease(store, id);
    const file = release.files.find((listed) => listed.path === path);
    const bytes = file && (await readWhole(release, file, releases.files));
    if (!bytes) throw notFound('file');
    ctx.type = 'application/octet-stream';
    return bytes;
  });

  router.put(FILE_PATH, ops.needPublisher, rawBody(), async (ctx) => {
    const { id, path } = fileOf(ctx);
    mayPublish(ctx, nameOf(id));
    await receiveReleaseFile(id, path, readBody(ctx), releases);
  });

  router.post('/ops/releases/:id/publish', ops.needPublisher, noBody(), async (ctx) => {
    const id = idOf(ctx);
    mayPublish(ctx, nameOf(id));
    await finishRelease(id, releases, () => ops.assertStillValid(ctx));
    audit(ctx, id);
    return describeRelease(store, id);
  });

  // Source maps are stored with releases and can only be used through this route.
  router.post('/ops/stack', ops.needCompose, StackRequest, async (_, { stack }) => {
    return { stack: await resolveStack(stack, releases) } satisfies ResolvedStack;
  });

  return router;
}

function fileOf(ctx: DeskContext): { id: string; path: string } {
  const [id = '', path = ''] = (ctx.captures ?? []).map(decodeURIComponent);
  return { id, path };
}

function nameOf(id: string): string {
  return id.split('@', 1)[0] ?? '';
}

/** The request body is the file's content. */
function rawBody(): DeskMiddleware {
  return (ctx, next) => {
    if (!/^(identity)?$/i.test(ctx.get('Content-Encoding'))) throw new ApiError('unsupported_type');
    return next();
  };
}

/** Published releases of one remote or of all, newest first. @throws invalidRequest('cursor') */
export async function listReleases(
  store: CompositionStore,
  { name, ...request }: PageRequest & { name?: string | undefined },
) {
  const condition = { ...(name === undefined ? {} : { name }), publishedAt: { $ne: null } };
  const list = `releases ${name ?? ''}`;
  const { page, nextCursor } = await readPage(store.releases, 'publishedAt', list, request, condition);
  const live = await liveReleases(store);
  return { releases: page.map((release) => summaryOf(release, live)), nextCursor };
}

/** @throws notFound('release') if it is not published or has been removed. */
async function describeRelease(store: CompositionStore, id: string): Promise<ReleaseDetails> {
  const release = await findRelease(store, id);
  const { exposes, shared, standard } = uploadOf(release);
  return {
    ...summaryOf(release, await liveReleases(store)),
    digest: release.digest,
    entry: release.entry,
    exposes,
    shared,
    // Paths with the screens that they show: 'mfe-chat/./chat'.
    routes: Object.fromEntries(
      release.routes.map(({ path, remote, module }) => [path, `${remote}/${module}`]),
    ),
    ...(standard ? { standard } : {}),
    files: release.files.map(({ path, size, integrity, type }) => ({ path, size, integrity, type })),
  };
}

/** @throws notFound('release') if it is not published or has been removed. */
async function findRelease(store: CompositionStore, id: string): Promise<Release> {
  const release = await publishedRelease(store, id);
  if (!release) throw notFound('release');
  return release;
}

function summaryOf(release: Release, live: Set<string>): ReleaseSummary {
  const { _id, files, publishedAt } = release;
  return describeAs(ReleaseSummary, {
    ...release,
    size: files.reduce((sum, { size }) => sum + size, 0),
    fileCount: files.length,
    publishedAt: publishedAt as Date,
    isLive: live.has(_id),
    yanked: release.yanked ?? null,
  });
}

/** Releases that visitors currently get: those of the live composition and of running canaries. */
async function liveReleases(store: CompositionStore): Promise<Set<string>> {
  const pointer = await readPointer(store);
  if (!pointer) return new Set();
  const canaries = runningCanaries(pointer).map(({ composition }) => composition);
  const known = await compositionsById(store, [pointer.composition, ...canaries]);
  return new Set([...known.values()].flatMap(releasesOf));
}

/** The upload by which another server gets the same release, with the same digest. */
export function uploadOf(release: Release): ReleaseUpload {
  const { exposes, shared, routes, standard, files, base } = release;
  return describeAs(ReleaseUpload, {
    ...release,
    exposes: Object.fromEntries(exposes.map(({ name, ...assets }) => [name, assets])),
    shared: rangesOf(shared),
    routes: routes.map(({ remote: _, ...route }) => route),
    standard: standard && { ...standard, own: rangesOf(standard.own) },
    styleMarks: Object.fromEntries(
      files.filter(({ mark }) => mark !== '').map(({ path, mark }) => [path, mark]),
    ),
    files: files.map(({ path, size, integrity }) => ({ path, size, integrity })),
    address: isElsewhere(release) ? base : undefined,
  });
}
