import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { callerKey, limitRequests, meterOf } from '../accounts/limit-requests.ts';
import type { Quotas } from '../accounts/quotas.ts';
import type { RateLimit } from '../accounts/rate-limit.ts';
import type { ModelDesk } from '../answers/model/model-desk.ts';
import { PredictQuestion } from '../contract/chat.ts';
import type { ReadingProgress } from '../contract/files.ts';
import { uploadRulesOf } from '../files/upload-rules.ts';
import { checked } from '../http/body.ts';
import { clientDisconnected } from '../http/client-disconnect.ts';
import type { DeskContext, DeskMiddleware } from '../http/desk-state.ts';
import { toApiError } from '../http/error-body.ts';
import { receiveUpload, type UploadBounds } from '../http/receive-upload.ts';
import { createRoutes, type DeskRoutes } from '../http/routes.ts';
import type { Asked } from './asking.ts';
import type { Predicting } from './predicting.ts';
import { sendAnswer, sendReading, wantsEvents } from './send-answer.ts';

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
