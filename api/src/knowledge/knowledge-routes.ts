import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import { type Collections, ownerOf } from '../collections/collections.ts';
import { CollectionId, CollectionRequest, firstCollection } from '../contract/collections.ts';
import { PageQuery } from '../contract/fields.ts';
import { GoldenImport, type GoldenReply, GoldenRequest, NewGolden } from '../contract/golden.ts';
import {
  ArchiveQuery,
  type AskedAgain,
  DocumentChange,
  KnowledgeChange,
  type KnowledgeDocumentReply,
  type KnowledgePairReply,
  KnowledgePairRequest,
  KnowledgeQuery,
  KnowledgeSearch,
  maxTitleLength,
  NewKnowledgePair,
  TrialQuestion,
  UnansweredAnswer,
  UnansweredQuery,
} from '../contract/knowledge.ts';
import { type DeskOverview, OverviewQuery } from '../contract/overview.ts';
import { SynonymChange } from '../contract/synonyms.ts';
import { invalidRequest } from '../errors/errors.ts';
import { queryOf } from '../http/body.ts';
import { createWorkLimiter, limitConcurrency } from '../http/concurrency-limiter.ts';
import { setFileName } from '../http/content-disposition.ts';
import type { DeskContext, DeskMiddleware } from '../http/desk-state.ts';
import { readBody } from '../http/read-body.ts';
import { needJson } from '../http/read-json.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from '../http/routes.ts';
import { textsOf } from '../i18n/texts-of.ts';
import type { DeskDays } from '../records/statistics/desk-days.ts';
import { databaseDate } from '../store/database-clock.ts';
import { dayOf } from '../text/day-range.ts';
import { cleanTitle } from './document-info.ts';
import type { Knowledge } from './open-knowledge.ts';

/** Maximum size of an archive in bytes. */
const maxArchiveBytes = 256 * 1024 * 1024;
/** Maximum number of concurrent checks, exports and imports per editor in this process: each reads much. */
const maxChecks = 2;

/** Routes of the knowledge base: every signed-in user reads the collections that it may, editors change theirs. */
export function createKnowledgeRoutes(deps: {
  knowledge: Knowledge;
  /** Receives one uploaded file, see receive-upload.ts. */
  receiveFile: DeskMiddleware;
  log: Pick<Logger, 'info'>;
}): DeskRoutes {
  const { knowledge, receiveFile, log } = deps;
  const { documents, pairs, inbox, golden } = knowledge;
  const limitChecks = createWorkLimiter(maxChecks);
  const limitImports = createWorkLimiter(1);
  const router = createRoutes('/api/knowledge');

  const access = ({ state }: DeskContext) => knowledge.accessOf(state.owner);

  const questions = ({ state }: DeskContext) => knowledge.questionsOf(state.owner);

  /** Logs who made which change, without any content. */
  const note = (ctx: DeskContext, action: string, id: string) =>
    log.info({ actor: ctx.state.owner, action, id }, 'knowledge was changed');

  const listOf =
    (from: Pick<Knowledge['documents'], 'list'> | Pick<Knowledge['pairs'], 'list'>) =>
    async (ctx: DeskContext, { q, collection, ...page }: z.output<typeof KnowledgeQuery>) =>
      from.list({ q, collection }, page, ctx.state.language, await access(ctx));

  router.get('/', async (ctx) =>
    knowledge.summary(ctx.state.rights.includes('edit_knowledge'), await access(ctx), await questions(ctx)),
  );

  router.get('/documents', KnowledgeQuery, listOf(documents));
  router.post('/documents/search', KnowledgeSearch, listOf(documents));

  router.post('/documents', receiveFile, async (ctx) => {
    const { files, fields } = ctx.state.uploaded;
    const title = cleanTitle(fields.title ?? '');
    if (title.length > maxTitleLength) throw invalidRequest('title');
    const collection = CollectionId.optional().safeParse(fields.collection || undefined);
    if (!collection.success) throw invalidRequest('collection');
    const given = { title, isDraft: fields.draft === '1', collection: collection.data };
    const { language } = ctx.state;
    const { document, isNew } = await documents.add(files[0]!, given, language, await access(ctx));
    if (isNew) note(ctx, 'add document', document.id);
    ctx.status = isNew ? 201 : 200;
    return { document } satisfies KnowledgeDocumentReply;
  });

  router.get('/documents/:id', async (ctx) => {
    const document = await documents.get(idOf(ctx), ctx.state.language, await access(ctx));
    return { document } satisfies KnowledgeDocumentReply;
  });

  router.get('/documents/:id/passages', PageQuery, async (ctx, page) =>
    documents.passages(idOf(ctx), page, await access(ctx)),
  );

  router.patch('/documents/:id', DocumentChange, async (ctx, { title: given, ...change }) => {
    const title = given === undefined ? undefined : cleanTitle(given);
    if (title === '') throw invalidRequest('title');
    const who = await access(ctx);
    const before = await documents.get(idOf(ctx), ctx.state.language, who);
    const changes = { ...change, ...(title === undefined ? {} : { title }) };
    const document = await documents.change(idOf(ctx), changes, ctx.state.language, who);
    if (title !== undefined) await golden.retitle(before.collectionId, before.title, title);
    if (document.collectionId !== before.collectionId)
      await golden.withdraw(before.title, ownerOf(before.collectionId ?? firstCollection));
    note(ctx, title === undefined ? 'move document' : 'rename document', document.id);
    return { document } satisfies KnowledgeDocumentReply;
  });

  for (const [action, noted] of [
    ['publish', 'publish document'],
    ['reindex', 'index document'],
  ] as const)
    router.post(`/documents/:id/${action}`, noBody(), async (ctx) => {
      const document = await documents[action](idOf(ctx), ctx.state.language, await access(ctx));
      note(ctx, noted, document.id);
      ctx.status = 202;
      return { document } satisfies KnowledgeDocumentReply;
    });

  for (const [path, from, noted] of [
    ['/documents', documents, 'delete document'],
    ['/pairs', pairs, 'delete pair'],
    ['/golden', golden, 'delete golden question'],
  ] as const)
    router.delete(`${path}/:id`, noBody(), async (ctx) => {
      await from.remove(idOf(ctx), await access(ctx));
      note(ctx, noted, idOf(ctx));
    });

  router.get('/pairs', KnowledgeQuery, listOf(pairs));
  router.post('/pairs/search', KnowledgeSearch, listOf(pairs));

  router.post('/pairs', NewKnowledgePair, async (ctx, given) => {
    const pair = await pairs.add(given, await access(ctx));
    note(ctx, 'add pair', pair.id);
    ctx.status = 201;
    return { pair } satisfies KnowledgePairReply;
  });

  router.put('/pairs/:id', KnowledgePairRequest, async (ctx, request) => {
    const pair = await pairs.change(idOf(ctx), request, await access(ctx));
    ctx.body = { pair } satisfies KnowledgePairReply;
    note(ctx, 'change pair', idOf(ctx));
  });

  router.get('/unanswered', UnansweredQuery, async (ctx, { reason, answerable, ...request }) =>
    inbox.list(request, await questions(ctx), reason, answerable !== undefined),
  );

  router.post('/unanswered/:id/answer', UnansweredAnswer, async (ctx, given) => {
    const pair = await inbox.answer(idOf(ctx), given, await questions(ctx));
    note(ctx, 'answer questions', pair.id);
    ctx.status = 201;
    return { pair } satisfies KnowledgePairReply;
  });

  router.post('/unanswered/ask-again', noBody(), async (ctx) => {
    note(ctx, 'ask questions again', '');
    ctx.status = 202;
    return { count: await knowledge.askAgain(await questions(ctx)) } satisfies AskedAgain;
  });

  for (const action of ['reopen', 'dismiss'] as const)
    router.post(`/unanswered/:id/${action}`, noBody(), async (ctx) => {
      await inbox[action](idOf(ctx), await questions(ctx));
      note(ctx, `${action} questions`, idOf(ctx));
    });

  router.get('/synonyms', () => knowledge.synonyms.read());

  router.put('/synonyms', SynonymChange, async (ctx, given) => {
    ctx.body = await knowledge.synonyms.change(given);
    note(ctx, 'change synonyms', '');
  });

  router.post('/check', KnowledgeChange, (ctx, change) =>
    limitChecks(ctx.state.owner, async () =>
      knowledge.check(change, await access(ctx), await questions(ctx)),
    ),
  );

  router.post('/try', TrialQuestion, (ctx, question) => {
    const { owner, language } = ctx.state;
    return limitChecks(owner, async () => knowledge.try(question, language, await access(ctx)));
  });

  router.get('/export', limitConcurrency(maxChecks), ArchiveQuery, async (ctx, { collection }) => {
    const archive = knowledge.export(collection, await access(ctx));
    const day = dayOf(databaseDate(), 'UTC');
    const name = `${textsOf('file-names')('knowledge')(ctx.state.language)}-${day}.json`;
    ctx.type = 'application/json; charset=utf-8';
    setFileName(ctx, name, `knowledge-${day}.json`);
    return Readable.from(archive, { objectMode: false });
  });

  router.post('/import', async (ctx) => {
    const { collection } = queryOf(ctx, ArchiveQuery);
    needJson(ctx, maxArchiveBytes);
    ctx.body = await limitImports(ctx.state.owner, async () => {
      const archive = readBody(ctx, { maxBytes: maxArchiveBytes });
      return knowledge.import(archive, collection, await access(ctx));
    });
    note(ctx, 'import', '');
  });

  router.get('/golden', async (ctx) => golden.list(await access(ctx)));
  router.get('/golden/rated', ({ state }) => golden.rated(state.owner));

  router.post('/golden', NewGolden, async (ctx, given) => {
    const added = await golden.add(given, await access(ctx));
    note(ctx, 'add golden question', added.id);
    ctx.status = 201;
    return { golden: added } satisfies GoldenReply;
  });

  router.put('/golden/:id', GoldenRequest, async (ctx, request) => {
    const changed = await golden.change(idOf(ctx), request, await access(ctx));
    note(ctx, 'change golden question', changed.id);
    return { golden: changed } satisfies GoldenReply;
  });

  router.post('/golden/import', GoldenImport, async (ctx, given) => {
    ctx.body = await golden.import(given, await access(ctx));
    note(ctx, 'import golden questions', '');
  });

  router.post('/golden/run', noBody(), async (ctx) => {
    await knowledge.goldenRuns.request();
    ctx.status = 202;
    return golden.list(await access(ctx));
  });
  return router;
}

/** Questions of the unanswered inbox in an overview. */
const maxUnanswered = 10;

export function createOverviewRoutes(
  { documents, inbox, accessOf, questionsOf }: Knowledge,
  deskDays: Pick<DeskDays, 'read'>,
): DeskRoutes {
  const router = createRoutes('/api/overview');

  router.get('/', OverviewQuery, async ({ state: { owner } }, { days, tz }) => {
    const [counts, mostCited, unanswered] = await Promise.all([
      deskDays.read(days, tz),
      documents.mostCited(await accessOf(owner)),
      inbox.list({ limit: maxUnanswered }, await questionsOf(owner)),
    ]);
    const topUnanswered = unanswered.questions.map(({ question, count }) => ({ question, count }));
    return { ...counts, mostCited, topUnanswered } satisfies DeskOverview;
  });

  return router;
}

/** Routes for the collections of the knowledge: administrators change them. Changes reply with the new list. */
export function createCollectionRoutes(deps: {
  collections: Collections;
  models: Pick<KnowledgeModels, 'documents' | 'pairs'>;
  /** Hides its unanswered questions before it is deleted. */
  hideQuestions(collectionId: string): Promise<void>;
  /** Deletes what else belongs to a collection that was deleted. */
  forget(collectionId: string): Promise<void>;
}): DeskRoutes {
  const { collections, models, hideQuestions, forget } = deps;
  const router = createRoutes('/api/knowledge/collections');

  const list = ({ state }: DeskContext) =>
    collections.list(state.owner, state.rights.includes('administer'), models);

  router.get('/', (ctx) => list(ctx));

  router.post('/', CollectionRequest, async (ctx, request) => {
    await collections.add(request);
    ctx.status = 201;
    return list(ctx);
  });

  router.put('/:id', CollectionRequest, async (ctx, request) => {
    await collections.change(idOf(ctx), request);
    return list(ctx);
  });

  router.delete('/:id', noBody(), async (ctx) => {
    await collections.remove(idOf(ctx), models, hideQuestions);
    await forget(idOf(ctx));
    return list(ctx);
  });

  return router;
}
