import { notFound } from '../errors/errors.ts';
import { createRoutes, type DeskRoutes } from '../http/routes.ts';
import { sendJson } from '../http/send-json.ts';
import { deskInfo } from './desk-info.ts';
import type { DeskSettingsStore } from './desk-settings.ts';
import type { Logos } from './logos.ts';

/** Routes for what everyone may know of the settings, and for the logo. */
export function createDeskRoutes({
  settings,
  logos,
}: {
  settings: Pick<DeskSettingsStore, 'latest'>;
  logos: Pick<Logos, 'read'>;
}): DeskRoutes {
  const router = createRoutes('/api/desk');

  router.get('/', (ctx) => {
    sendJson(ctx, JSON.stringify(deskInfo(settings.latest())));
  });

  router.get('/logo', async (ctx) => {
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
