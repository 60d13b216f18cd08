import Router from '@koa/router';
import { type AccountInfo, RightRequest } from '../contract/accounts.ts';
import { body, bodyOf } from '../http/body.ts';
import type { DeskContext, DeskMiddleware, DeskRouter } from '../http/desk-state.ts';
import type { LogSecurity } from './log-security.ts';

/** A right that operators grant to accounts and revoke. @throws notFound('account') for an unknown name */
export interface Right {
  list(): Promise<AccountInfo[]>;
  change(username: string, isGranted: boolean): Promise<AccountInfo>;
}

/** Routes for operators to grant and revoke a right: /ops/editors, /ops/administrators. */
export function createRightRoutes(
  name: 'editors' | 'administrators',
  right: Right,
  { needAdmin, logSecurity }: { needAdmin: DeskMiddleware; logSecurity: LogSecurity },
): DeskRouter {
  const router: DeskRouter = new Router({ prefix: `/ops/${name}` });

  const change = async (ctx: DeskContext, isGranted: boolean) => {
    const account = await right.change(bodyOf(ctx, RightRequest).username, isGranted);
    logSecurity(ctx, 'permission_changed', account.id);
    ctx.body = account;
  };

  router.get('/', needAdmin, async (ctx) => {
    ctx.body = { [name]: await right.list() };
  });
  router.post('/grant', needAdmin, body(RightRequest), (ctx) => change(ctx, true));
  router.post('/revoke', needAdmin, body(RightRequest), (ctx) => change(ctx, false));

  return router;
}
