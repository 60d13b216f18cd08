import { randomBytes } from 'node:crypto';
import { isOnOrigin } from '../../config/variable.ts';
import {
  type CreatedWebhook,
  type NewWebhook,
  WebhookDelivery,
  WebhookInfo,
} from '../../contract/webhooks.ts';
import { ApiError, invalidRequest, notFound } from '../../errors/errors.ts';
import { type PageRequest, readPage } from '../../store/cursor.ts';
import { describeAs } from '../../store/describe-as.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import { readPointer } from '../data/move-pointer.ts';
import { enqueue } from './enqueue-messages.ts';
import { type Delivery, secretOf, type Webhook, type WebhookModels } from './webhook.ts';

const MAX_WEBHOOKS = 20;

export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks(deps: {
  store: CompositionStore;
  models: WebhookModels;
  key: Buffer;
  /** Value of WEBHOOK_ORIGINS. */
  webhookOrigins: readonly string[];
  send(): Promise<void>;
  now(): Date;
}) {
  const { store, models, key, webhookOrigins, send, now } = deps;
  const { environment } = store;

  async function find(id: string): Promise<Webhook> {
    const found = await models.webhooks.findOne({ _id: id, environment }).lean();
    if (!found) throw notFound('webhook');
    return found;
  }

  async function findDelivery(id: string): Promise<WebhookDelivery> {
    const found = await models.deliveries.findOne({ _id: id, environment }).lean();
    if (!found) throw notFound('delivery');
    return describeDelivery(found);
  }

  return {
    async list(): Promise<WebhookInfo[]> {
      const found = await models.webhooks.find({ environment }).sort({ createdAt: 1 }).lean();
      return found.map((webhook) => describeAs(WebhookInfo, webhook));
    },

    /** Sends events from now on. @throws invalidRequest unless the address is in WEBHOOK_ORIGINS; conflict: too many */
    async create({ url, events = [] }: NewWebhook, author: string): Promise<CreatedWebhook> {
      // Without credentials, which lists of webhooks would show.
      if (!isOnOrigin(url, webhookOrigins)) throw invalidRequest('url', 'webhook_url');
      if ((await models.webhooks.countDocuments({ environment })) >= MAX_WEBHOOKS)
        throw new ApiError('too_many_webhooks', { count: MAX_WEBHOOKS });
      const pointer = await readPointer(store);
      const webhook: Webhook = {
        _id: randomBytes(6).toString('hex'),
        environment,
        url,
        events: [...new Set(events)].sort(),
        createdAt: now(),
        createdBy: author,
        cursor: pointer?.revision ?? 0,
        endedAt: null,
      };
      await models.webhooks.create(webhook);
      return { ...describeAs(WebhookInfo, webhook), secret: secretOf(key, webhook._id) };
    },

    /** Messages that have not been delivered yet are dropped. @throws notFound. */
    async remove(id: string): Promise<void> {
      const { deletedCount } = await models.webhooks.deleteOne({ _id: id, environment });
      if (deletedCount === 0) throw notFound('webhook');
    },

    /** Sends a message to try it out. @throws notFound. */
    async test(id: string): Promise<WebhookDelivery> {
      const message = {
        id: `test_${randomBytes(8).toString('hex')}`,
        type: 'webhook.test' as const,
        timestamp: now().toISOString(),
        data: {},
      };
      const delivery = await enqueue(message, await find(id), deps);
      await send();
      return findDelivery(delivery);
    },

    /** Newest first. @throws invalidRequest('cursor'). */
    async deliveries({ webhook, ...request }: PageRequest & { webhook?: string | undefined }) {
      const list = `deliveries ${environment} ${webhook ?? ''}`;
      const condition = { environment, ...(webhook === undefined ? {} : { webhook }) };
      const { page, nextCursor } = await readPage(models.deliveries, 'createdAt', list, request, condition);
      return { deliveries: page.map(describeDelivery), nextCursor };
    },

    /** Sends a message again, with all attempts. @throws notFound. */
    async retry(id: string): Promise<WebhookDelivery> {
      const fresh = { state: 'pending', attempts: 0, dueAt: now(), status: null, error: null } as const;
      await models.deliveries.updateOne({ _id: id, environment }, { $set: fresh });
      await send();
      return findDelivery(id);
    },
  };
}

const describeDelivery = (delivery: Delivery): WebhookDelivery =>
  describeAs(WebhookDelivery, { ...delivery, nextAt: delivery.state === 'pending' ? delivery.dueAt : null });
