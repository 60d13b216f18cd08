import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { type PostOutcome, postMessage, signMessage } from '../../http/post-message.ts';
import { type Changes, sets } from '../../store/changes.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { createIndexes } from '../../store/define-model.ts';
import type { Jobs } from '../../store/jobs/jobs.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import { environmentKey } from '../data/environment.ts';
import { enqueueMessages, hasNews } from './enqueue-messages.ts';
import { createWebhookModels, type Delivery, secretOf, type Webhook, type WebhookModels } from './webhook.ts';
import { createWebhooks } from './webhooks.ts';

/** Interval of looking for messages and deliveries that no job was added for, in ms. */
const everyMs = 3_600_000;
/** Minimum time between two rounds of deliveries, in ms. */
const minWaitMs = 1000;

export async function openWebhooks(deps: {
  connection: Connection;
  store: CompositionStore;
  config: Pick<Config, 'webhookOrigins' | 'environment'>;
  /** Used for secrets of webhooks only, see `deriveKey`. */
  key: Buffer;
  jobs: Pick<Jobs, 'define' | 'add'>;
  changes: Pick<Changes, 'follow'>;
  log: Logger;
}) {
  const { connection, config, jobs, changes } = deps;
  const { webhookOrigins, environment } = config;
  const models = createWebhookModels(connection);
  await createIndexes(models);
  const now = databaseDate;
  const own = { ...deps, models, webhookOrigins, environment, now };
  const creating = environmentKey('create webhook messages', config);
  const sending = environmentKey('send webhook messages', config);
  const send = () => jobs.add(sending);

  jobs.define({
    kind: creating,
    everyMs,
    async run() {
      await enqueueMessages(own);
      await send();
    },
  });
  // On its own: a receiver that does not answer must not delay the creation of messages.
  jobs.define({
    kind: sending,
    everyMs,
    async run(_, signal) {
      await sendDeliveries(own, signal);
      const next = await nextDeliveryAt(own);
      return next && Math.max(next.getTime() - now().getTime(), minWaitMs);
    },
  });
  const look = async () => {
    if (await hasNews(own)) await jobs.add(creating);
  };
  changes.follow('pointers', look);
  changes.follow('releases', look, { match: sets('announce', true) });
  return createWebhooks({ ...own, send });
}

/**
 * Delays before each further attempt in s, as recommended by https://www.standardwebhooks.com: 5 s, 5 and 30 min, then
 * 2, 5, 10, 14, 20 and 24 h.
 */
const RETRY_DELAYS_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Time after which another process may repeat an attempt whose process has died, in ms. */
const LEASE_MS = 60_000;
const MAX_AT_ONCE = 20;

interface SendDeps {
  models: WebhookModels;
  environment: string;
  key: Buffer;
  /** Value of WEBHOOK_ORIGINS. */
  webhookOrigins: readonly string[];
  log: Pick<Logger, 'warn'>;
  now(): Date;
}

/**
 * Sends the deliveries that are due. Any process may do so at any time: each attempt is claimed by postponing the
 * next one, so that it is repeated if the process dies. `signal` interrupts requests, which are then repeated.
 */
export async function sendDeliveries(deps: SendDeps, signal: AbortSignal): Promise<void> {
  const { models, environment, now } = deps;
  const due = await models.deliveries
    .find({ environment, state: 'pending', dueAt: { $lte: now() } })
    .sort({ dueAt: 1 })
    .limit(MAX_AT_ONCE)
    .lean();
  await Promise.all(due.map((delivery) => sendOne(delivery, deps, signal)));
}

/** When the next delivery is due; undefined if none is waiting. */
async function nextDeliveryAt({ models, environment }: Pick<SendDeps, 'models' | 'environment'>) {
  const next = await models.deliveries
    .findOne({ environment, state: 'pending' }, { dueAt: 1 })
    .sort({ dueAt: 1 })
    .lean();
  return next?.dueAt;
}

async function sendOne(delivery: Delivery, deps: SendDeps, signal: AbortSignal): Promise<void> {
  const { models, log, now } = deps;
  const { _id, dueAt } = delivery;
  const attempts = delivery.attempts + 1;
  const claimed = await models.deliveries.updateOne(
    { _id, state: 'pending', dueAt },
    { $set: { dueAt: new Date(now().getTime() + LEASE_MS), attempts } },
  );
  if (claimed.matchedCount === 0 || signal.aborted) return;
  const webhook = await models.webhooks.findById(delivery.webhook).lean();
  const outcome = webhook && !webhook.endedAt ? await request(webhook, delivery, deps, signal) : ENDED;
  if (!outcome) return;
  const isDelivered = outcome.error === null;
  const isGone = outcome.status === 410;
  const delay = RETRY_DELAYS_SECONDS[attempts - 1];
  const isFailed = isGone || outcome === ENDED || delay === undefined;
  const state = isDelivered ? 'delivered' : isFailed ? 'failed' : 'pending';
  await models.deliveries.updateOne(
    { _id, state: 'pending', attempts },
    { $set: { ...outcome, state, dueAt: new Date(now().getTime() + (delay ?? 0) * 1000) } },
  );
  if (isGone) await models.webhooks.updateOne({ _id: delivery.webhook }, { $set: { endedAt: now() } });
  if (state === 'failed')
    log.warn(
      { webhook: delivery.webhook, message: delivery.messageId, attempts, ...outcome },
      'a webhook was not delivered',
    );
}

const ENDED: PostOutcome = { status: null, error: 'the webhook has ended or was removed' };

/** undefined if it was interrupted. */
async function request(
  webhook: Webhook,
  { messageId, body }: Delivery,
  { key, webhookOrigins, now }: SendDeps,
  signal: AbortSignal,
): Promise<PostOutcome | undefined> {
  // It was allowed when it was created; the configuration may have changed.
  if (!webhookOrigins.includes(new URL(webhook.url).origin))
    return { status: null, error: 'the origin is not in WEBHOOK_ORIGINS' };
  const signature = signMessage(secretOf(key, webhook._id), { id: messageId, body, at: now() });
  const headers = { 'Content-Type': 'application/json', ...signature };
  return postMessage(webhook.url, { body, headers }, signal);
}
