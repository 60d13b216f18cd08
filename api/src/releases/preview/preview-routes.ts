import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { type PreviewInfo, PreviewRequest } from '../../contract/compositions.ts';
import { notFound } from '../../errors/errors.ts';
import { createRoutes, type DeskRoutes } from '../../http/routes.ts';
import { databaseNow } from '../../store/database-clock.ts';
import type { Composing } from '../live/composing.ts';
import type { LiveComposition } from '../live/live-composition.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import type { Previews } from './previews.ts';

const HOUR_MS = 3_600_000;

/** POST /ops/previews; for the links see createOverrideRoutes. */
export function createPreviewRoutes(deps: {
  config: Pick<Config, 'publicUrl'>;
  log: Pick<Logger, 'info'>;
  ops: Pick<OpsGuard, 'need'>;
  composing: Pick<Composing, 'keep'>;
  live: Pick<LiveComposition, 'resolve'>;
  previews: Pick<Previews, 'save'>;
}): DeskRoutes {
  const { config, log, ops, composing, live, previews } = deps;
  const router = createRoutes();

  router.post(
    '/ops/previews',
    ops.need('preview'),
    PreviewRequest,
    async (ctx, { author, name = null, hours = 24, ...choice }) => {
      const { info } = await composing.keep(choice, { author, reason: 'preview' });
      // Its releases may have been removed since it was composed.
      await live.resolve(info.id).catch(() => {
        throw notFound('composition');
      });
      const expiresAt = new Date(databaseNow() + hours * HOUR_MS);
      const token = ctx.state.opsToken.name;
      const link = await previews.save({ name, composition: info.id, author, token, expiresAt });
      const origin = config.publicUrl ?? `${ctx.protocol}://${ctx.host}`;
      log.info({ author, name, composition: info.id, expiresAt }, 'a preview was created');
      ctx.status = 201;
      return {
        url: `${origin}/chatbot/preview/${link}`,
        expiresAt: expiresAt.toISOString(),
        name,
        composition: info,
      } satisfies PreviewInfo;
    },
  );

  return router;
}
