import Router from '@koa/router';
import { z } from 'zod';
import { body, bodyOf } from '../http/body.ts';
import type { DeskContext, DeskRouter } from '../http/desk-state.ts';
import type { Editors } from './editors.ts';
import type { LogSecurity } from './log-security.ts';
import type { OpsIdentity } from './ops-identity.ts';

const Account = z.strictObject({ username: z.string().min(1).max(200) });

/** Routes for operators to grant and revoke the right to change the knowledge base. */
export function createEditorRoutes({
  editors,
  ops,
  logSecurity,
}: {
  editors: Editors;
  ops: Pick<OpsIdentity, 'needOps'>;
  logSecurity: LogSecurity;
}): DeskRouter {
  const { needOps } = ops;
  const router: DeskRouter = new Router({ prefix: '/ops/editors' });

  const change = async (ctx: DeskContext, isEditor: boolean) => {
    const editor = await editors.change(bodyOf(ctx, Account).username, isEditor);
    logSecurity(ctx, 'permission_changed', editor.id);
    ctx.body = editor;
  };

  router.get('/', needOps, async (ctx) => {
    ctx.body = { editors: await editors.list() };
  });
  router.post('/grant', needOps, body(Account), (ctx) => change(ctx, true));
  router.post('/revoke', needOps, body(Account), (ctx) => change(ctx, false));

  return router;
}
