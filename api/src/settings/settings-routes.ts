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
import { ApiError } from '../errors/errors.ts';
import { readBody } from '../http/read-body.ts';
import { createRoutes, type DeskRoutes } from '../http/routes.ts';
import type { DeskSettingsStore } from './desk-settings.ts';
import type { createReadFirstSteps } from './first-steps.ts';
import { type Logos, maxLogoBytes } from './logos.ts';
import type { Retention } from './retention.ts';

export function createSettingsRoutes(deps: {
  settings: DeskSettingsStore;
  logos: Logos;
  retention: Retention;
  readFirstSteps: ReturnType<typeof createReadFirstSteps>;
  /** What applies where nothing is set. */
  product: SettingsReply['product'];
}): DeskRoutes {
  const { settings, logos, retention, readFirstSteps, product } = deps;
  const router = createRoutes('/api/settings');

  const toReply = (revision: SettingsRevision): SettingsReply => ({ ...revision, product });

  router.get('/access', async (ctx) => {
    const { user } = signedIn(ctx);
    const { rights } = ctx.state;
    const isAdministrator = rights.includes('administer');
    return {
      rights: [...rights],
      isAdministrator,
      ...(isAdministrator ? { firstSteps: await readFirstSteps(user) } : {}),
    } satisfies SettingsAccess;
  });

  router.get('/', async () => toReply(await settings.current()));

  router.put('/', SettingsChange, async (ctx, { revision, settings: changed }) =>
    toReply(await settings.save(revision, changed, signedIn(ctx).user._id)),
  );

  router.post('/restore', SettingsRestore, async (ctx, { revision, to }) =>
    toReply(await settings.restore(revision, to, signedIn(ctx).user._id)),
  );

  router.get('/history', PageQuery, (_, page) => settings.history(page));

  router.get('/retention', RetentionQuery, async (_, { days }) => {
    return { records: await retention.count(days) } satisfies RetentionPreview;
  });

  router.put('/logo', async (ctx) => {
    if ((ctx.request.length ?? 0) > maxLogoBytes)
      throw new ApiError('logo_too_large', { count: maxLogoBytes / 1024 });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of readBody(ctx)) {
      size += chunk.length;
      if (size > maxLogoBytes) throw new ApiError('logo_too_large', { count: maxLogoBytes / 1024 });
      chunks.push(chunk);
    }
    return { logo: await logos.put(Buffer.concat(chunks)) } satisfies LogoReply;
  });

  return router;
}
