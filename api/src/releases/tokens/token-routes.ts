import type { Logger } from 'pino';
import type { LogSecurity } from '../../accounts/audit/log-security.ts';
import { signedIn } from '../../accounts/identify.ts';
import type { OpenAccounts } from '../../accounts/open-accounts.ts';
import { Proof } from '../../contract/accounts.ts';
import { PageQuery } from '../../contract/fields.ts';
import { NewToken } from '../../contract/tokens.ts';
import { ApiError, invalidRequest } from '../../errors/errors.ts';
import type { DeskContext, DeskMiddleware } from '../../http/desk-state.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from '../../http/routes.ts';
import { databaseDate, databaseNow } from '../../store/database-clock.ts';
import type { OpsGuard } from './ops-guard.ts';
import type { Tokens } from './tokens.ts';

/**
 * POST /ops/session exchanges a token for one that is valid for 30 minutes, which a page keeps in memory; POST
 * /api/operate gives one to an account with the right to operate, whose owner has just proven to be it.
 * /ops/tokens: operators create, list and revoke tokens.
 */
export function createTokenRoutes(deps: {
  ops: Pick<OpsGuard, 'need' | 'needToken' | 'createSession' | 'createOperatorSession'>;
  accounts: Pick<OpenAccounts, 'proofs' | 'operators'>;
  /** Limits attempts to prove the password. */
  limit: DeskMiddleware;
  logSecurity: LogSecurity;
  tokens: Pick<Tokens, 'create' | 'list' | 'revoke'>;
  log: Pick<Logger, 'info'>;
}): DeskRoutes {
  const { ops, tokens, accounts, limit, logSecurity, log } = deps;
  const router = createRoutes();
  const audit = (
    { ip, state: { requestId, opsToken } }: DeskContext,
    event: 'token_created' | 'token_revoked',
    { id, name, scopes, expiresAt }: { id: string; name: string; scopes: string[]; expiresAt: string | null },
  ) =>
    log.info({ event, token: { id, name, scopes, expiresAt }, by: opsToken.name, ip, requestId }, 'security');

  router.post('/ops/session', ops.needToken, noBody(), (ctx) => ops.createSession(ctx, databaseDate()));

  router.post('/api/operate', Proof, limit, async (ctx, proof) => {
    const { user, sessionId } = signedIn(ctx);
    const isProven = await accounts.proofs.accept(signedIn(ctx), 'operate', proof);
    const operator = isProven && (await accounts.operators.find(user._id));
    logSecurity(ctx, operator ? 'operate' : 'operate_failed', user._id);
    if (!operator)
      throw proof.password === undefined
        ? new ApiError('sso_expired')
        : new ApiError('wrong_password', { field: 'password' });
    return ops.createOperatorSession(sessionId, operator, databaseDate());
  });

  router.get('/ops/tokens', ops.need('admin'), PageQuery, (_, page) => tokens.list(page));

  router.post('/ops/tokens', ops.need('admin'), NewToken, async (ctx, { name, scopes, expiresAt = null }) => {
    const end = expiresAt === null ? null : new Date(expiresAt);
    if (end && end.getTime() <= databaseNow()) throw invalidRequest('expiresAt');
    const wanted = { name, scopes: [...new Set(scopes)].sort(), expiresAt: end };
    const created = await tokens.create(wanted, ctx.state.opsToken.name);
    audit(ctx, 'token_created', created);
    ctx.status = 201;
    return created;
  });

  router.post('/ops/tokens/:id/revoke', ops.need('admin'), noBody(), async (ctx) => {
    const revoked = await tokens.revoke(idOf(ctx), ctx.state.opsToken.name);
    audit(ctx, 'token_revoked', revoked);
    return revoked;
  });

  return router;
}
