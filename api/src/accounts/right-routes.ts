import Router from '@koa/router';
import { z } from 'zod';
import { body, bodyOf } from '../http/body.ts';
import type { DeskContext, DeskMiddleware, DeskRouter } from '../http/desk-state.ts';
import type { Editors } from './editors.ts';
import type { LogSecurity } from './log-security.ts';

const Account = z.strictObject({ username: z.string().min(1).max(200) });

/** Routes for operators to grant and revoke the right to change the knowledge base. */
export function createEditorRoutes({
  editors,
  needAdmin,
  logSecurity,
}: {
  editors: Editors;
  needAdmin: DeskMiddleware;
  logSecurity: LogSecurity;
}): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/ops/editors' });

  const change = async (ctx: DeskContext, isEditor: boolean) => {
    const editor = await editors.change(bodyOf(ctx, Account).username, isEditor);
    logSecurity(ctx, 'permission_changed', editor.id);
    ctx.body = editor;
  };

  router.get('/', needAdmin, async (ctx) => {
    ctx.body = { editors: await editors.list() };
  });
  router.post('/grant', needAdmin, body(Account), (ctx) => change(ctx, true));
  router.post('/revoke', needAdmin, body(Account), (ctx) => change(ctx, false));

  return router;
}
