import Router from '@koa/router';
import type { Administrators } from '../accounts/administrators.ts';
import { signedIn } from '../accounts/identify.ts';
import type { LogSecurity } from '../accounts/log-security.ts';
import { PageQuery } from '../contract/fields.ts';
import {
  type LogoReply,
  type RetentionPreview,
  RetentionQuery,
  type SettingsAccess,
  SettingsChange,
  type SettingsReply,
  SettingsRestore,
  type SettingsRevision,
} from '../contract/settings.ts';
import { ApiError } from '../errors/errors.ts';
import { body, bodyOf, queryOf } from '../http/body.ts';
import type { DeskMiddleware, DeskRouter } from '../http/desk-state.ts';
import { readBody } from '../http/read-body.ts';
import type { DeskSettingsStore } from './desk-settings.ts';
import type { createReadFirstSteps } from './first-steps.ts';
import { type Logos, maxLogoBytes } from './logos.ts';
import type { Retention } from './retention.ts';

/** Routes of the settings, for administrators. */
export function createSettingsRoutes(deps: {
  settings: DeskSettingsStore;
  logos: Logos;
  retention: Retention;
  administrators: Administrators;
  readFirstSteps: ReturnType<typeof createReadFirstSteps>;
  needToken: DeskMiddleware;
  /** What applies where nothing is set. */
  product: SettingsReply['product'];
  logSecurity: LogSecurity;
}): DeskRouter {
  const { settings, logos, retention, administrators, readFirstSteps, needToken, product, logSecurity } =
    deps;
  const router: DeskRouter = new Router({ prefix: '/api/settings' });

  const needAdministrator: DeskMiddleware = (ctx, next) => {
    if (!administrators.isAdministrator(signedIn(ctx).user)) throw new ApiError('forbidden');
    return next();
  };
  const toReply = (revision: SettingsRevision): SettingsReply => ({ ...revision, product });

  router.get('/access', needToken, async (ctx) => {
    const { user } = signedIn(ctx);
    const isAdministrator = administrators.isAdministrator(user);
    ctx.body = {
      isAdministrator,
      ...(isAdministrator ? { firstSteps: await readFirstSteps(user) } : {}),
    } satisfies SettingsAccess;
  });

  router.get('/', needToken, needAdministrator, async (ctx) => {
    ctx.body = toReply(await settings.current());
  });

  router.put('/', needToken, needAdministrator, body(SettingsChange), async (ctx) => {
    const { revision, settings: changed } = bodyOf(ctx, SettingsChange);
    ctx.body = toReply(await settings.save(revision, changed, signedIn(ctx).user._id));
    logSecurity(ctx, 'settings_changed', signedIn(ctx).user._id);
  });

  router.post('/restore', needToken, needAdministrator, body(SettingsRestore), async (ctx) => {
    const { revision, to } = bodyOf(ctx, SettingsRestore);
    ctx.body = toReply(await settings.restore(revision, to, signedIn(ctx).user._id));
    logSecurity(ctx, 'settings_changed', signedIn(ctx).user._id);
  });

  router.get('/history', needToken, needAdministrator, async (ctx) => {
    ctx.body = await settings.history(queryOf(ctx, PageQuery));
  });

  router.get('/retention', needToken, needAdministrator, async (ctx) => {
    const { days } = queryOf(ctx, RetentionQuery);
    ctx.body = { records: await retention.count(days) } satisfies RetentionPreview;
  });

  router.put('/logo', needToken, needAdministrator, async (ctx) => {
    if ((ctx.request.length ?? 0) > maxLogoBytes)
      throw new ApiError('logo_too_large', { count: maxLogoBytes / 1024 });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of readBody(ctx)) {
      size += chunk.length;
      if (size > maxLogoBytes) throw new ApiError('logo_too_large', { count: maxLogoBytes / 1024 });
      chunks.push(chunk);
    }
    ctx.body = { logo: await logos.put(Buffer.concat(chunks)) } satisfies LogoReply;
  });

  return router;
}
