import { Readable } from 'node:stream';
import { AuditFilter, AuditSearch } from '../../contract/audit.ts';
import { setFileName } from '../../http/content-disposition.ts';
import { createRoutes, type DeskRoutes, noBody } from '../../http/routes.ts';
import type { AuditLog } from './audit-log.ts';
import type { AuditStream } from './audit-stream.ts';

export function createAuditRoutes(audit: AuditLog, stream: AuditStream | null): DeskRoutes {
  const router = createRoutes('/api/audit');

  router.post('/search', AuditSearch, async (_, given) => {
    const [page, state] = await Promise.all([audit.search(given), stream?.read() ?? null]);
    return { ...page, stream: state };
  });

  router.post('/verify', noBody(), () => audit.verify());

  router.post('/export', AuditFilter, (ctx, given) => {
    ctx.type = 'text/csv';
    setFileName(ctx, 'audit.csv', 'audit.csv');
    return Readable.from(audit.csv(given), { objectMode: false });
  });

  return router;
}
