import Router from '@koa/router';
import type { Logger } from 'pino';
import { z } from 'zod';
import { PageQuery } from '../../contract/fields.ts';
import { body, bodyOf, noBody, queryOf } from '../../http/body.ts';
import type { DeskContext, DeskRouter } from '../../http/desk-state.ts';
import { databaseDate, databaseNow } from '../../store/database-clock.ts';
import type { OpsGuard } from './ops-guard.ts';
import { isScope } from './scopes.ts';
import type { Tokens } from './tokens.ts';

/** Maximum number of scopes of a token. */
const MAX_SCOPES = 50;
/** Names that the history uses for changes that no token made. */
const RESERVED = ['start', 'canary', 'watch'];

const Name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/)
  // It would look like an id.
  .regex(/^(?![0-9a-f]{12}$)/)
  .refine((name) => !RESERVED.includes(name));

const TokenBody = z.strictObject({
  name: Name,
  scopes: z
    .array(z.string().refine(isScope))
    .min(1)
    .max(MAX_SCOPES)
    .transform((scopes) => [...new Set(scopes)].sort()),
  expiresAt: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    .refine((date) => date.getTime() > databaseNow() && date.getUTCFullYear() < 10_000)
    .nullable()
    .default(null),
});

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

  router.post('/tokens', ops.need('admin'), body(TokenBody), async (ctx) => {
    const created = await tokens.create(bodyOf(ctx, TokenBody), ctx.state.opsToken.name);
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
