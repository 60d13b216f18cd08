import type { Logger } from 'pino';
import { DeliveryQuery, NewWebhook } from '../../contract/webhooks.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from '../../http/routes.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import type { Webhooks } from './webhooks.ts';

/** /ops/webhooks: requires the right to change the environment, since addresses may contain secrets. */
export function createWebhookRoutes(deps: {
  ops: Pick<OpsGuard, 'needCompose'>;
  webhooks: Webhooks;
  log: Pick<Logger, 'info'>;
}): DeskRoutes {
  const { ops, webhooks, log } = deps;
  const router = createRoutes('/ops/webhooks');
  router.use(ops.needCompose);

  router.get('/', async () => ({ webhooks: await webhooks.list() }));

  router.post('/', NewWebhook, async (ctx, given) => {
    const { opsToken, requestId } = ctx.state;
    const created = await webhooks.create(given, opsToken.name);
    const { id, url, events } = created;
    const about = { webhook: id, origin: new URL(url).origin, events, by: opsToken.name, requestId };
    log.info({ event: 'webhook_created', ...about }, 'security');
    ctx.status = 201;
    return created;
  });

  router.get('/deliveries', DeliveryQuery, (_, query) => webhooks.deliveries(query));
  router.post('/deliveries/:id/retry', noBody(), (ctx) => webhooks.retry(idOf(ctx)));

  router.post('/:id/remove', noBody(), async (ctx) => {
    const id = idOf(ctx);
    await webhooks.remove(id);
    const { opsToken, requestId } = ctx.state;
    log.info({ event: 'webhook_removed', webhook: id, by: opsToken.name, requestId }, 'security');
  });

  router.post('/:id/test', noBody(), (ctx) => {
    ctx.status = 201;
    return webhooks.test(idOf(ctx));
  });

  return router;
}
