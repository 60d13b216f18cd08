import { z } from 'zod';
import { PageQuery } from './fields.ts';

/*
 * Webhooks: POST requests to other servers about releases and changes of an environment, in the format of
 * https://www.standardwebhooks.com. Headers: `webhook-id` (the same for every attempt), `webhook-timestamp`
 * (seconds) and `webhook-signature`: `v1,` and the base64 of HMAC-SHA-256 of `<id>.<timestamp>.<body>`, whose key is
 * the base64 after `whsec_` in the secret. Any 2xx is success; others are retried for three days. Events may arrive
 * twice and in another order.
 */
export const WebhookEvent = z.enum([
  'release.publish',
  'release.yank',
  'release.unyank',
  'composition.start',
  'composition.set',
  'composition.promote',
  'composition.rollback',
  'composition.freeze',
  'composition.unfreeze',
  'composition.pin',
  'composition.unpin',
  'canary.start',
  'canary.share',
  'canary.step',
  'canary.pause',
  'canary.resume',
  'canary.halt',
  'canary.promote',
  'canary.abort',
]);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/**
 * The body of a request. `data` of a change is a `MoveInfo` with `environment`; that of `release.publish` is
 * `{release, name, version, commit, publishedBy}`; that of `webhook.test` is empty.
 */
export const WebhookMessage = z.object({
  type: z.union([WebhookEvent, z.literal('webhook.test')]),
  /** When it happened. */
  timestamp: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type WebhookMessage = z.infer<typeof WebhookMessage>;

/** GET /ops/webhooks → `{webhooks}`, those of the server's environment, oldest first. */
export const WebhookInfo = z.object({
  id: z.string(),
  url: z.string(),
  /** Empty: all. */
  events: z.array(WebhookEvent),
  createdAt: z.string(),
  createdBy: z.string(),
  /** Set once the receiver has answered 410: it gets nothing more. */
  endedAt: z.string().nullable(),
});
export type WebhookInfo = z.infer<typeof WebhookInfo>;

/**
 * POST /ops/webhooks → 201 `CreatedWebhook`. The origin of `url` must be in WEBHOOK_ORIGINS. POST
 * /ops/webhooks/:id/remove → 204. POST /ops/webhooks/:id/test → 201 `WebhookDelivery`, a message to try it out.
 */
export const NewWebhook = z.strictObject({
  url: z.string().max(2000),
  /** Default: all. */
  events: z.array(WebhookEvent).max(WebhookEvent.options.length).exactOptional(),
});
export type NewWebhook = z.infer<typeof NewWebhook>;

export const CreatedWebhook = WebhookInfo.extend({
  /** `whsec_…`. It is derived from the server's secret, not stored, and not shown again. */
  secret: z.string(),
});
export type CreatedWebhook = z.infer<typeof CreatedWebhook>;

/** Query of GET /ops/webhooks/deliveries. */
export const DeliveryQuery = PageQuery.extend({ webhook: z.string().max(100).optional() });

/**
 * GET /ops/webhooks/deliveries → `{deliveries, nextCursor}`, newest first, of the last 30
 * days. POST /ops/webhooks/deliveries/:id/retry → `WebhookDelivery`, which starts again.
 */
export const WebhookDelivery = z.object({
  id: z.string(),
  webhook: z.string(),
  /** The header `webhook-id`. */
  messageId: z.string(),
  type: WebhookMessage.shape.type,
  createdAt: z.string(),
  state: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number(),
  /** The next attempt; null unless pending. */
  nextAt: z.string().nullable(),
  /** Of the last attempt. */
  status: z.number().nullable(),
  error: z.string().nullable(),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;
