import type { Logger } from 'pino';
import { type PostOutcome, postMessage, signMessage } from '../../http/post-message.ts';
import { type Delivery, secretOf, type Webhook, type WebhookModels } from './webhook.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Delays before each further attempt, as recommended by https://www.standardwebhooks.com. */
const RETRY_DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Time after which another process may repeat an attempt whose process has died, in ms. */
const LEASE_MS = 60_000;
const MAX_AT_ONCE = 20;

export interface SendDeps {
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
    .lean<Delivery[]>();
  await Promise.all(due.map((delivery) => sendOne(delivery, deps, signal)));
}

/** When the next delivery is due; undefined if none is waiting. */
export async function nextDeliveryAt({
  models,
  environment,
}: Pick<SendDeps, 'models' | 'environment'>): Promise<Date | undefined> {
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
  const webhook = await models.webhooks.findById(delivery.webhook).lean<Webhook>();
  const outcome = webhook && !webhook.endedAt ? await request(webhook, delivery, deps, signal) : ENDED;
  if (!outcome) return;
  const isDelivered = outcome.error === null;
  const isGone = outcome.status === 410;
  const delay = RETRY_DELAYS_MS[attempts - 1];
  const isFailed = isGone || outcome === ENDED || delay === undefined;
  const state = isDelivered ? 'delivered' : isFailed ? 'failed' : 'pending';
  await models.deliveries.updateOne(
    { _id, state: 'pending', attempts },
    { $set: { ...outcome, state, dueAt: new Date(now().getTime() + (delay ?? 0)) } },
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
