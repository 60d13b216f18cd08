/*
 * Webhooks: POST requests to other servers about releases and changes of an environment, in the format of
 * https://www.standardwebhooks.com. Headers: `webhook-id` (the same for every attempt), `webhook-timestamp`
 * (seconds) and `webhook-signature`: `v1,` and the base64 of HMAC-SHA-256 of `<id>.<timestamp>.<body>`, whose key is
 * the base64 after `whsec_` in the secret. Any 2xx is success; others are retried for three days. Events may arrive
 * twice and in another order.
 */

export type WebhookEvent =
  | 'release.publish'
  | 'release.yank'
  | 'release.unyank'
  | 'composition.start'
  | 'composition.set'
  | 'composition.promote'
  | 'composition.rollback'
  | 'composition.freeze'
  | 'composition.unfreeze'
  | 'composition.pin'
  | 'composition.unpin'
  | 'canary.start'
  | 'canary.share'
  | 'canary.step'
  | 'canary.pause'
  | 'canary.resume'
  | 'canary.halt'
  | 'canary.promote'
  | 'canary.abort';

/**
 * The body of a request. `data` of a change is a `MoveInfo` with `environment`; that of `release.publish` is
 * `{release, name, version, commit, publishedBy}`; that of `webhook.test` is empty.
 */
export interface WebhookMessage {
  type: WebhookEvent | 'webhook.test';
  /** When it happened. */
  timestamp: string;
  data: object;
}

/** GET /ops/webhooks → `{webhooks}`, those of the server's environment, oldest first. */
export interface WebhookInfo {
  id: string;
  url: string;
  /** Empty: all. */
  events: WebhookEvent[];
  createdAt: string;
  createdBy: string;
  /** Set once the receiver has answered 410: it gets nothing more. */
  endedAt: string | null;
}

/**
 * POST /ops/webhooks → 201 `CreatedWebhook`. The origin of `url` must be in WEBHOOK_ORIGINS. POST
 * /ops/webhooks/:id/remove → 204. POST /ops/webhooks/:id/test → 201 `WebhookDelivery`, a message to try it out.
 */
export interface NewWebhook {
  url: string;
  /** Default: all. */
  events?: WebhookEvent[];
}

export interface CreatedWebhook extends WebhookInfo {
  /** `whsec_…`. It is derived from the server's secret, not stored, and not shown again. */
  secret: string;
}

/**
 * GET /ops/webhooks/deliveries `?webhook=&cursor=&limit=` → `{deliveries, nextCursor}`, newest first, of the last 30
 * days. POST /ops/webhooks/deliveries/:id/retry → `WebhookDelivery`, which starts again.
 */
export interface WebhookDelivery {
  id: string;
  webhook: string;
  /** The header `webhook-id`. */
  messageId: string;
  type: WebhookMessage['type'];
  createdAt: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** The next attempt; null unless pending. */
  nextAt: string | null;
  /** Of the last attempt. */
  status: number | null;
  error: string | null;
}
