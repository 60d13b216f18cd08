import { Readable } from 'node:stream';
import Router from '@koa/router';
import { AuditFilter, AuditSearch } from '../../contract/audit.ts';
import { body, bodyOf, noBody } from '../../http/body.ts';
import { setFileName } from '../../http/content-disposition.ts';
import type { DeskRouter } from '../../http/desk-state.ts';
import type { AuditLog } from './audit-log.ts';
import type { AuditStream } from './audit-stream.ts';

export function createAuditRoutes(audit: AuditLog, stream: AuditStream | null): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api/audit' });

  router.post('/search', body(AuditSearch), async (ctx) => {
    const [page, state] = await Promise.all([audit.search(bodyOf(ctx, AuditSearch)), stream?.read() ?? null]);
    ctx.body = { ...page, stream: state };
  });

  router.post('/verify', noBody(), async (ctx) => {
    ctx.body = await audit.verify();
  });

  router.post('/export', body(AuditFilter), (ctx) => {
    ctx.type = 'text/csv';
    setFileName(ctx, 'audit.csv', 'audit.csv');
    ctx.body = Readable.from(audit.csv(bodyOf(ctx, AuditFilter)), { objectMode: false });
  });

  return router;
}
