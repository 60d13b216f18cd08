import Router from '@koa/router';
import { SourceTextQuery } from '../contract/documents.ts';
import { queryOf } from '../http/body.ts';
import type { DeskRouter } from '../http/desk-state.ts';
import { idOf } from '../http/id-of.ts';
import type { ReadFiles } from './read-files.ts';
import { sendFile } from './send-file.ts';
import type { SourceDocuments } from './source-documents.ts';

/** Routes for the files of the caller's records, and for the documents that answers cite. */
export function createFileRoutes(deps: {
  readFiles: Pick<ReadFiles, 'open'>;
  sourceDocuments: SourceDocuments;
}): DeskRouter {
  const { readFiles, sourceDocuments } = deps;
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.get('/files/:id', async (ctx) => {
    const { upload, file } = await readFiles.open(ctx.state.owner, idOf(ctx));
    sendFile(ctx, upload, file);
  });

  router.get('/documents/:id', async (ctx) => {
    ctx.body = await sourceDocuments.get(idOf(ctx), ctx.state.owner);
  });

  router.get('/documents/:id/text', async (ctx) => {
    ctx.body = await sourceDocuments.text(idOf(ctx), ctx.state.owner, queryOf(ctx, SourceTextQuery).at);
  });

  router.get('/documents/:id/file', async (ctx) => {
    const { file, ...described } = await sourceDocuments.open(idOf(ctx), ctx.state.owner);
    sendFile(ctx, described, file);
  });

  return router;
}
