import type { ReadPassage } from '../answers/index/read-passage.ts';
import type { Starters } from '../answers/pairs/starters.ts';
import type { StarterList } from '../contract/answers.ts';
import { SourceTextQuery } from '../contract/documents.ts';
import { createRoutes, type DeskRoutes, idOf } from '../http/routes.ts';
import type { ReadFiles } from './read-files.ts';
import { sendFile } from './send-file.ts';
import type { SourceDocuments } from './source-documents.ts';

/** Routes for the files of the caller's records, for the documents and passages that answers cite, and for example questions. */
export function createSourceRoutes(deps: {
  readFiles: Pick<ReadFiles, 'open'>;
  sourceDocuments: SourceDocuments;
  readPassage: ReadPassage;
  starters: Starters;
}): DeskRoutes {
  const { readFiles, sourceDocuments, readPassage, starters } = deps;
  const router = createRoutes('/api');

  router.get('/files/:id', async (ctx) => {
    const { upload, file } = await readFiles.open(ctx.state.owner, idOf(ctx));
    sendFile(ctx, upload, file);
  });

  router.get('/documents/:id', (ctx) => sourceDocuments.get(idOf(ctx), ctx.state.owner));

  router.get('/documents/:id/text', SourceTextQuery, (ctx, query) =>
    sourceDocuments.text(idOf(ctx), ctx.state.owner, query.at),
  );

  router.get('/documents/:id/file', async (ctx) => {
    const { file, ...described } = await sourceDocuments.open(idOf(ctx), ctx.state.owner);
    sendFile(ctx, described, file);
  });

  router.get('/passages/:id', (ctx) => readPassage(idOf(ctx), ctx.state.owner));

  router.get('/starters', async ({ state }) => {
    return { starters: await starters(state.language, state.owner) } satisfies StarterList;
  });

  return router;
}
