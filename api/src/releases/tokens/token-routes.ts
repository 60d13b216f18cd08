import Router from '@koa/router';
import type { Logger } from 'pino';
import { PageQuery } from '../../contract/fields.ts';
import { NewToken } from '../../contract/tokens.ts';
import { invalidRequest } from '../../errors/errors.ts';
import { body, bodyOf, noBody, queryOf } from '../../http/body.ts';
import type { DeskContext, DeskRouter } from '../../http/desk-state.ts';
import { databaseDate, databaseNow } from '../../store/database-clock.ts';
import type { OpsGuard } from './ops-guard.ts';
import type { Tokens } from './tokens.ts';

/**
 * POST /ops/session exchanges a token for one that is valid for 30 minutes, which a page keeps in memory.
 * /ops/tokens: operators create, list and revoke tokens.
 */
export function createTokenRoutes({
  ops,
  tokens,
  log,
}: {
  ops: Pick<OpsGuard, 'need' | 'needToken' | 'createSession'>;
  tokens: Pick<Tokens, 'create' | 'list' | 'revoke'>;
  log: Pick<Logger, 'info'>;
}): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/ops' });
  const audit = (
    { ip, state: { requestId, opsToken } }: DeskContext,
    event: 'token_created' | 'token_revoked',
    { id, name, scopes, expiresAt }: { id: string; name: string; scopes: string[]; expiresAt: string | null },
  ) =>
    log.info({ event, token: { id, name, scopes, expiresAt }, by: opsToken.name, ip, requestId }, 'security');

  router.post('/session', ops.needToken, noBody(), (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = ops.createSession(ctx, databaseDate());
  });

  router.get('/tokens', ops.need('admin'), async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = await tokens.list(queryOf(ctx, PageQuery));
  });

  router.post('/tokens', ops.need('admin'), body(NewToken), async (ctx) => {
    const { name, scopes, expiresAt = null } = bodyOf(ctx, NewToken);
    const end = expiresAt === null ? null : new Date(expiresAt);
    if (end && end.getTime() <= databaseNow()) throw invalidRequest('expiresAt');
    const wanted = { name, scopes: [...new Set(scopes)].sort(), expiresAt: end };
    const created = await tokens.create(wanted, ctx.state.opsToken.name);
    audit(ctx, 'token_created', created);
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 201;
    ctx.body = created;
  });

  router.post('/tokens/:id/revoke', ops.need('admin'), noBody(), async (ctx) => {
    const revoked = await tokens.revoke(ctx.params.id ?? '', ctx.state.opsToken.name);
    audit(ctx, 'token_revoked', revoked);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = revoked;
  });

  return router;
}
