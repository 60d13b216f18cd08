import { type Connection, type Model, Schema } from 'mongoose';
import type { WebhookDelivery, WebhookEvent, WebhookMessage } from '../../contract/webhooks.ts';

/** A server that is notified of releases and of changes of one environment. */
export interface Webhook {
  /** 12 hex digits. */
  _id: string;
  environment: string;
  url: string;
  /** Empty: all. */
  events: WebhookEvent[];
  createdAt: Date;
  createdBy: string;
  /** Revision of the last move for which deliveries exist. */
  cursor: number;
  endedAt: Date | null;
}

/** One message to one webhook. */
export interface Delivery {
  /** Derived from webhook and message, so that any process can create it. */
  _id: string;
  webhook: string;
  environment: string;
  messageId: string;
  type: WebhookMessage['type'];
  body: string;
  createdAt: Date;
  state: WebhookDelivery['state'];
  attempts: number;
  /** When it is sent, or sent again; a process that sends it postpones this first. */
  dueAt: Date;
  status: number | null;
  error: string | null;
}

/** Retention of deliveries, in seconds (30 days). */
const RETENTION_SECONDS = 30 * 86_400;

const text = { type: String, required: true };
const date = { type: Date, required: true };

const webhookSchema = new Schema<Webhook>(
  {
    _id: text,
    environment: text,
    url: text,
    events: [String],
    createdAt: date,
    createdBy: text,
    cursor: { type: Number, required: true },
    endedAt: { type: Date, default: null },
  },
  { collection: 'webhooks', versionKey: false, autoIndex: false, autoCreate: false },
);
webhookSchema.index({ environment: 1, createdAt: 1 });
webhookSchema.index({ endedAt: 1 });

const deliverySchema = new Schema<Delivery>(
  {
    _id: text,
    webhook: text,
    environment: text,
    messageId: text,
    type: text,
    body: text,
    createdAt: date,
    state: text,
    attempts: { type: Number, required: true },
    dueAt: date,
    status: { type: Number, default: null },
    error: { type: String, default: null },
  },
  { collection: 'webhook_deliveries', versionKey: false, autoIndex: false, autoCreate: false },
);
deliverySchema.index({ environment: 1, state: 1, dueAt: 1 });
deliverySchema.index({ environment: 1, createdAt: -1, _id: -1 });
deliverySchema.index({ createdAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

export type WebhookModels = ReturnType<typeof createWebhookModels>;

export function createWebhookModels(connection: Connection) {
  return {
    webhooks:
      (connection.models.Webhook as Model<Webhook>) ?? connection.model<Webhook>('Webhook', webhookSchema),
    deliveries:
      (connection.models.WebhookDelivery as Model<Delivery>) ??
      connection.model<Delivery>('WebhookDelivery', deliverySchema),
  };
}
