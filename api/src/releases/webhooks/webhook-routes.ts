import Router from '@koa/router';
import type { Logger } from 'pino';
import { DeliveryQuery, NewWebhook } from '../../contract/webhooks.ts';
import { body, bodyOf, noBody, queryOf } from '../../http/body.ts';
import type { DeskRouter } from '../../http/desk-state.ts';
import { idOf } from '../../http/id-of.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import type { Webhooks } from './webhooks.ts';

/** /ops/webhooks: only for those who may change the environment, since addresses may contain secrets. */
export function createWebhookRoutes(deps: {
  ops: Pick<OpsGuard, 'needCompose'>;
  webhooks: Webhooks;
  log: Pick<Logger, 'info'>;
}): DeskRouter {
  const { ops, webhooks, log } = deps;
  const router: DeskRouter = new Router({ prefix: '/ops/webhooks' });
  router.use(ops.needCompose);

  router.get('/', async (ctx) => {
    ctx.body = { webhooks: await webhooks.list() };
  });

  router.post('/', body(NewWebhook), async (ctx) => {
    const { opsToken, requestId } = ctx.state;
    const created = await webhooks.create(bodyOf(ctx, NewWebhook), opsToken.name);
    const { id, url, events } = created;
    const about = { webhook: id, origin: new URL(url).origin, events, by: opsToken.name, requestId };
    log.info({ event: 'webhook_created', ...about }, 'security');
    ctx.status = 201;
    ctx.body = created;
  });

  router.get('/deliveries', async (ctx) => {
    ctx.body = await webhooks.deliveries(queryOf(ctx, DeliveryQuery));
  });

  router.post('/deliveries/:id/retry', noBody(), async (ctx) => {
    ctx.body = await webhooks.retry(idOf(ctx));
  });

  router.post('/:id/remove', noBody(), async (ctx) => {
    const id = idOf(ctx);
    await webhooks.remove(id);
    const { opsToken, requestId } = ctx.state;
    log.info({ event: 'webhook_removed', webhook: id, by: opsToken.name, requestId }, 'security');
    ctx.status = 204;
  });

  router.post('/:id/test', noBody(), async (ctx) => {
    ctx.status = 201;
    ctx.body = await webhooks.test(idOf(ctx));
  });

  return router;
}
