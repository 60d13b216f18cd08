import { signedIn } from '../accounts/identify.ts';
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
import { notFound } from '../errors/errors.ts';
import { readBody } from '../http/read-body.ts';
import { createRoutes, type DeskRoutes } from '../http/routes.ts';
import { sendJson } from '../http/send-json.ts';
import { deskInfo } from './desk-info.ts';
import type { DeskSettingsStore } from './desk-settings.ts';
import type { createReadFirstSteps } from './first-steps.ts';
import { type Logos, logoTooLarge, maxLogoBytes } from './logos.ts';
import type { Retention } from './retention.ts';

/** Routes for the settings, which administrators change, and for the public settings with the logo. */
export function createSettingsRoutes(deps: {
  settings: DeskSettingsStore;
  logos: Logos;
  retention: Retention;
  readFirstSteps: ReturnType<typeof createReadFirstSteps>;
  /** The defaults. */
  product: SettingsReply['product'];
}): DeskRoutes {
  const { settings, logos, retention, readFirstSteps, product } = deps;
  const router = createRoutes('/api');

  const toReply = (revision: SettingsRevision): SettingsReply => ({ ...revision, product });

  router.get('/settings/access', async (ctx) => {
    const { user } = signedIn(ctx);
    const { rights } = ctx.state;
    const isAdministrator = rights.includes('administer');
    return {
      rights: [...rights],
      isAdministrator,
      ...(isAdministrator ? { firstSteps: await readFirstSteps(user) } : {}),
    } satisfies SettingsAccess;
  });

  router.get('/settings', async () => toReply(await settings.current()));

  router.put('/settings', SettingsChange, async (ctx, { revision, settings: changed }) =>
    toReply(await settings.save(revision, changed, signedIn(ctx).user._id)),
  );

  router.post('/settings/restore', SettingsRestore, async (ctx, { revision, to }) =>
    toReply(await settings.restore(revision, to, signedIn(ctx).user._id)),
  );

  router.get('/settings/history', PageQuery, (_, page) => settings.history(page));

  router.get('/settings/retention', RetentionQuery, async (_, { days }) => {
    return { records: await retention.count(days) } satisfies RetentionPreview;
  });

  router.put('/settings/logo', async (ctx) => {
    if ((ctx.request.length ?? 0) > maxLogoBytes) throw logoTooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of readBody(ctx)) {
      size += chunk.length;
      if (size > maxLogoBytes) throw logoTooLarge();
      chunks.push(chunk);
    }
    return { logo: await logos.put(Buffer.concat(chunks)) } satisfies LogoReply;
  });

  router.get('/desk', (ctx) => {
    sendJson(ctx, JSON.stringify(deskInfo(settings.latest())));
  });

  router.get('/desk/logo', async (ctx) => {
    const { v } = ctx.query;
    const version = typeof v === 'string' ? v : settings.latest().logo;
    if (version === null) throw notFound('logo');
    const { type, bytes } = await logos.read(version);
    // The address contains a hash of the content.
    ctx.set('Cache-Control', typeof v === 'string' ? 'public, max-age=31536000, immutable' : 'no-cache');
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    ctx.status = 200;
    ctx.type = type;
    ctx.etag = version;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = bytes;
  });

  return router;
}
