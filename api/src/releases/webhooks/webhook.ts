import { createHmac } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { WebhookDelivery, WebhookEvent, WebhookMessage } from '../../contract/webhooks.ts';
import { webhookSecret } from '../../http/post-message.ts';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, list, nullable, required } from '../../store/fields.ts';

/** Retention of deliveries, in seconds (30 days). */
const RETENTION_SECONDS = 30 * 86_400;

const webhookFields = {
  /** 12 hex digits. */
  _id: required(String),
  environment: required(String),
  url: required(String),
  /** Empty: all. */
  events: list<WebhookEvent>(String),
  createdAt: required(Date),
  createdBy: required(String),
  /** Revision of the last move for which deliveries exist. */
  cursor: required(Number),
  endedAt: nullable(Date),
};

/** A server that is notified of releases and of changes of one environment. */
export type Webhook = DocumentOf<typeof webhookFields>;

const webhooks = defineModel<Webhook>('Webhook', 'webhooks', webhookFields);
webhooks.schema.index({ environment: 1, createdAt: 1 }).index({ endedAt: 1 });

const deliveryFields = {
  /** Derived from webhook and message, so that any process can create it. */
  _id: required(String),
  webhook: required(String),
  environment: required(String),
  messageId: required(String),
  type: required<WebhookMessage['type']>(String),
  body: required(String),
  createdAt: required(Date),
  state: required<WebhookDelivery['state']>(String),
  attempts: required(Number),
  /** When it is sent, or sent again; a process that sends it postpones this first. */
  dueAt: required(Date),
  status: nullable(Number),
  error: nullable(String),
};

/** One message to one webhook. */
export type Delivery = DocumentOf<typeof deliveryFields>;

const deliveries = defineModel<Delivery>('WebhookDelivery', 'webhook_deliveries', deliveryFields);
deliveries.schema
  .index({ environment: 1, state: 1, dueAt: 1 })
  .index({ environment: 1, createdAt: -1, _id: -1 })
  .index({ createdAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

export type WebhookModels = ReturnType<typeof createWebhookModels>;

export function createWebhookModels(connection: Connection) {
  return { webhooks: webhooks.create(connection), deliveries: deliveries.create(connection) };
}

/** The secret of a webhook, derived from the server's secret instead of being stored. */
export const secretOf = (key: Buffer, webhook: string): string =>
  webhookSecret(createHmac('sha256', key).update(webhook).digest());
