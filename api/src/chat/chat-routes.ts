import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { addressKey, callerKey, limitRequests, meterOf } from '../accounts/limit-requests.ts';
import type { Quotas } from '../accounts/quotas.ts';
import type { RateLimit } from '../accounts/rate-limit.ts';
import type { OpenEmbeddings } from '../answers/embeddings/open-embeddings.ts';
import type { ModelDesk } from '../answers/model/model-desk.ts';
import { ChatQuestion, PredictQuestion, RetryRequest, type StopReply } from '../contract/chat.ts';
import { PageQuery } from '../contract/fields.ts';
import type { ReadingProgress, UploadRules } from '../contract/files.ts';
import type { ModelStatusList } from '../contract/models.ts';
import { SharedFileRequest, SharedRequest, ShareRequest } from '../contract/sharing.ts';
import type { OpenFiles } from '../files/open-files.ts';
import { sendFile } from '../files/send-file.ts';
import { checked } from '../http/body.ts';
import { clientDisconnected } from '../http/client-disconnect.ts';
import type { DeskContext, DeskMiddleware } from '../http/desk-state.ts';
import { toApiError } from '../http/error-body.ts';
import { receiveUpload, type UploadBounds } from '../http/receive-upload.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from '../http/routes.ts';
import type { OpenRecords } from '../records/open-records.ts';
import type { RecordList } from '../records/record-list.ts';
import type { Asked, Asking } from './asking.ts';
import type { Predicting } from './predicting.ts';
import { lastEventId, sendAnswer, sendEvents, sendReading, wantsEvents } from './send-answer.ts';

/** Routes to ask questions, to follow, stop, retry and explain answers, and for models and the caller's usage of them. */
export function createChatRoutes(deps: {
  asking: Asking;
  limit: RateLimit;
  modelDesk: Pick<ModelDesk, 'check' | 'list' | 'usage' | 'status'>;
  recordList: Pick<RecordList, 'why'>;
  needCompose: DeskMiddleware;
  embeddings: Pick<OpenEmbeddings, 'status'> | null;
}): DeskRoutes {
  const { asking, modelDesk, recordList, needCompose, embeddings } = deps;
  const limit = limitRequests(deps.limit);
  const router = createRoutes();

  router.post('/api/chat', ChatQuestion, limit, async (ctx, question) => {
    const { owner, language } = ctx.state;
    modelDesk.check(question.model);
    await sendAnswer(ctx, await asking.ask(owner, language, question));
  });

  router.get('/api/chat/:recordId', async (ctx) => {
    const from = lastEventId(ctx);
    sendEvents(ctx, await asking.find(ctx.state.owner, recordIdOf(ctx)), from);
  });

  router.post('/api/chat/:recordId/stop', noBody(), async (ctx) => {
    const recordId = recordIdOf(ctx);
    return { recordId, status: await asking.stop(ctx.state.owner, recordId) } satisfies StopReply;
  });

  router.post('/api/chat/:recordId/retry', RetryRequest, limit, async (ctx, { clientId }) => {
    const { owner, language } = ctx.state;
    await sendAnswer(ctx, await asking.retry(owner, language, recordIdOf(ctx), clientId));
  });

  router.get('/api/models', () => modelDesk.list());
  router.get('/api/usage', ({ state }) => modelDesk.usage(state.owner));
  router.get('/api/records/:id/why', (ctx) => recordList.why(ctx.state.owner, idOf(ctx)));

  router.get('/ops/models', needCompose, async () => {
    return {
      models: modelDesk.status(),
      embeddings: (await embeddings?.status()) ?? null,
    } satisfies ModelStatusList;
  });

  return router;
}

function recordIdOf(ctx: DeskContext): string {
  return ctx.params.recordId ?? '';
}

/**
 * Routes to share a conversation through a link, and to read it. Tokens are sent in bodies, so that they are in
 * no address and in no log. With REQUIRE_SIGN_IN only signed-in visitors can read.
 */
export function createShareRoutes(
  { shares, shared }: OpenRecords,
  { readFiles }: OpenFiles,
  limit: RateLimit,
): DeskRoutes {
  const router = createRoutes('/api');

  const reader: DeskMiddleware = async (ctx, next) => {
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    await limit.take(addressKey(ctx.ip));
    await next();
  };

  router.get('/shares', PageQuery, ({ state }, page) => shares.list(state.owner, page));
  router.get('/conversations/:id/share', (ctx) => shares.find(ctx.state.owner, idOf(ctx)));

  router.post('/conversations/:id/share', ShareRequest, (ctx, request) =>
    shares.create(ctx.state.owner, idOf(ctx), request),
  );

  router.patch('/conversations/:id/share', ShareRequest, (ctx, request) =>
    shares.update(ctx.state.owner, idOf(ctx), request),
  );

  router.delete('/conversations/:id/share', noBody(), (ctx) => shares.revoke(ctx.state.owner, idOf(ctx)));
  router.post('/shared', reader, SharedRequest, (_, asked) => shared.read(asked.token, asked.from));

  router.post('/shared/file', reader, SharedFileRequest, async (ctx, asked) => {
    const { owner, id } = await shared.file(asked.token, asked.file);
    const { upload, file } = await readFiles.open(owner, id);
    sendFile(ctx, upload, file);
    ctx.set('Cache-Control', 'no-store');
  });

  return router;
}

/** Delay before reading progress is reported, and the interval after that, in ms. */
const progressDelayMs = 400;
const progressIntervalMs = 250;

export function createPredictRoutes(deps: {
  predicting: Predicting;
  log: Pick<Logger, 'error'>;
  limit: RateLimit;
  quotas: Quotas;
  upload: UploadBounds;
  modelDesk: Pick<ModelDesk, 'check'>;
}): DeskRoutes {
  const { predicting, modelDesk, log, quotas } = deps;
  const router = createRoutes('/api');

  const needRoom: DeskMiddleware = async (ctx, next) => {
    const { owner, uploaded } = ctx.state;
    const bytes = uploaded.files.reduce((sum, { size }) => sum + size, 0);
    await quotas.needRoom(owner, bytes);
    await next();
  };

  router.get('/upload-rules', ({ state }) => uploadRulesOf(state.owner, deps.upload.maxMb, quotas));

  router.post(
    '/predict',
    limitRequests(deps.limit),
    receiveUpload({ ...deps.upload, meterOf: meterOf(quotas) }),
    needRoom,
    async (ctx) => {
      const { owner, language, uploaded } = ctx.state;
      const question = checked(PredictQuestion, withoutEmpty(uploaded.fields), 'body');
      modelDesk.check(question.model);
      const left = clientDisconnected(ctx);
      let latest: ReadingProgress | null = null;
      const work = predicting.predict(owner, language, question, uploaded.files, {
        caller: callerKey(ctx),
        signal: left,
        onProgress: (progress) => {
          latest = progress;
        },
      });
      if (!wantsEvents(ctx) || ctx.query.progress !== '1' || (await isSoon(work))) {
        await answer(ctx, work, left);
        return;
      }
      uploaded.holdFor(work);
      work.catch((cause: unknown) => {
        if (!left.aborted && toApiError(cause).status >= 500)
          log.error({ err: cause }, 'reading a file failed');
      });
      sendReading(
        ctx,
        readingOf(work, () => latest),
      );
    },
  );

  return router;
}

async function answer(ctx: DeskContext, work: Promise<Asked>, left: AbortSignal): Promise<void> {
  try {
    await sendAnswer(ctx, await work);
  } catch (cause) {
    // The client has disconnected, and cancelling is no failure.
    if (!left.aborted) throw cause;
    ctx.body = null;
  }
}

/** Whether it ends, successfully or not, before progress needs to be reported. */
function isSoon(work: Promise<Asked>): Promise<boolean> {
  const over = Promise.allSettled([work]).then(() => true);
  return Promise.race([over, delay(progressDelayMs, false)]);
}

async function* readingOf(work: Promise<Asked>, latest: () => ReadingProgress | null) {
  for (let lastProgress: ReadingProgress | null = null; ; ) {
    const progress = latest();
    if (progress && progress !== lastProgress) {
      lastProgress = progress;
      yield progress;
    }
    const asked = await Promise.race([work, delay(progressIntervalMs, null)]);
    if (asked) return asked;
  }
}

/** Forms send empty fields as ''. */
function withoutEmpty(fields: Readonly<Record<string, string>>): Record<string, string> {
  const given = Object.entries(fields);
  return Object.fromEntries(given.filter(([name, value]) => value !== '' && name !== '__proto__'));
}

const endings =
  '.txt .md .markdown .csv .tsv .json .html .htm .eml .mht .mhtml .pdf .docx .docm .dotx .dotm .xlsx .xlsm .xltx .xltm .pptx .pptm .potx .potm .ppsx .ppsm .png .jpg .jpeg .webp .gif'.split(
    ' ',
  );

const refusedTypes = [
  ...['image', 'audio', 'video', 'font', 'model'].map((kind) => `${kind}/`),
  ...'zip gzip x-zip x-7z x-rar x-tar x-bzip x-gzip x-ms x-iso java-archive vnd. msword rtf octet-stream postscript epub'
    .split(' ')
    .map((kind) => `application/${kind}`),
];

/** The upload limits and formats for the owner's next question. */
async function uploadRulesOf(
  owner: string,
  maxMb: number,
  quotas: Pick<Quotas, 'room'>,
): Promise<UploadRules> {
  const freeBytes = await quotas.room(owner);
  return { maxFiles: 10, maxBytes: maxMb * 1024 * 1024, freeBytes, endings, refusedTypes };
}
