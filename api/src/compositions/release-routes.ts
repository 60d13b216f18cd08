import Router from '@koa/router';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { OpsIdentity } from '../accounts/ops-identity.ts';
import { forbidden, notFound, unsupportedType } from '../errors/errors.ts';
import { body, bodyOf, noBody, queryOf } from '../http/body.ts';
import type { DeskContext, DeskMiddleware, DeskRouter } from '../http/desk-state.ts';
import { PageQuery } from '../http/page-query.ts';
import { readBody } from '../http/read-body.ts';
import { claimRelease } from './claim-release.ts';
import { readWhole } from './ensure-encoded.ts';
import { finishRelease } from './finish-release.ts';
import { describeRelease, findRelease, listReleases } from './list-releases.ts';
import { receiveReleaseFile } from './receive-release-file.ts';
import { type RegisterDeps, registerRelease } from './register-release.ts';
import { ReleaseDescription } from './release-description.ts';
import { uploadOf } from './release-upload.ts';

const Upload = ReleaseDescription.safeExtend({ address: z.string().max(1000).optional() });
const ListQuery = PageQuery.extend({ name: z.string().min(1).max(64).optional() });

/** A pattern, since the path of a file contains slashes. */
const FILE_PATH = /^\/ops\/releases\/([^/]+)\/files\/(.+)$/;

/** /ops/releases: teams publish, any signed-in user may read. */
export function createReleaseRoutes({
  ops,
  releases,
  log,
}: {
  ops: OpsIdentity;
  releases: RegisterDeps;
  log: Logger;
}): DeskRouter {
  const router: DeskRouter = new Router();
  const { store } = releases;
  const audit = ({ state }: DeskContext, release: string) =>
    log.info({ requestId: state.requestId, release, publisher: state.publisher }, 'a release was published');

  router.get('/ops/releases', ops.needReader, async (ctx) => {
    ctx.body = await listReleases(store, queryOf(ctx, ListQuery));
  });

  router.get('/ops/releases/:id', ops.needReader, async (ctx) => {
    ctx.body = await describeRelease(store, idOf(ctx));
  });

  router.post('/ops/releases', ops.needPublisher, body(Upload), async (ctx) => {
    const { address, ...upload } = bodyOf(ctx, Upload);
    mayPublish(ctx, upload.name);
    const { publisher, language } = ctx.state;
    if (address === undefined) {
      ctx.body = await claimRelease(upload, publisher, releases);
      return;
    }
    const registered = await registerRelease({ ...upload, address }, publisher, language, releases);
    audit(ctx, registered.id);
    ctx.body = registered;
  });

  router.get('/ops/releases/:id/upload', ops.needPublisher, async (ctx) => {
    mayPublish(ctx, nameOf(idOf(ctx)));
    ctx.set('Cache-Control', 'no-store');
    ctx.body = uploadOf(await findRelease(store, idOf(ctx)));
  });

  // Unlike the addresses for browsers, this includes source maps.
  router.get(FILE_PATH, ops.needPublisher, async (ctx) => {
    const { id, path } = fileOf(ctx);
    mayPublish(ctx, nameOf(id));
    const release = await findRelease(store, id);
    const file = release.files.find((listed) => listed.path === path);
    const bytes = file && (await readWhole(release, file, releases.files));
    if (!bytes) throw notFound('file');
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'application/octet-stream';
    ctx.body = bytes;
  });

  router.put(FILE_PATH, ops.needPublisher, rawBody(), async (ctx) => {
    const { id, path } = fileOf(ctx);
    mayPublish(ctx, nameOf(id));
    await receiveReleaseFile(id, path, readBody(ctx), releases);
    ctx.status = 204;
  });

  router.post('/ops/releases/:id/publish', ops.needPublisher, noBody(), async (ctx) => {
    const id = idOf(ctx);
    mayPublish(ctx, nameOf(id));
    await finishRelease(id, releases);
    audit(ctx, id);
    ctx.body = await describeRelease(store, id);
  });

  return router;
}

function idOf(ctx: DeskContext): string {
  return ctx.params.id ?? '';
}

function fileOf(ctx: DeskContext): { id: string; path: string } {
  const [id = '', path = ''] = (ctx.captures ?? []).map(decodeURIComponent);
  return { id, path };
}

function nameOf(id: string): string {
  return id.split('@', 1)[0] ?? '';
}

/** @throws forbidden for the release token of another remote. */
function mayPublish({ state }: DeskContext, name: string): void {
  if (state.publisher !== 'ops' && state.publisher !== name) throw forbidden('forbidden_release');
}

/** The request body is the file's content. */
function rawBody(): DeskMiddleware {
  return (ctx, next) => {
    if (!/^(identity)?$/i.test(ctx.get('Content-Encoding'))) throw unsupportedType();
    return next();
  };
}
