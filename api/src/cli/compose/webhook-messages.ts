/** Texts of `compose webhooks` in both languages. */
export const webhookMessages = {
  headWebhook: ['编号', 'WEBHOOK'],
  headUrl: ['地址', 'ADDRESS'],
  headEvents: ['事件', 'EVENTS'],
  headDelivery: ['编号', 'DELIVERY'],
  headEvent: ['事件', 'EVENT'],
  headResult: ['结果', 'RESULT'],
  noWebhooks: ['没有通知地址', 'There are no webhooks.'],
  allEvents: ['全部', 'all'],
  webhookEnded: ['{url}（{ago}对方回应 410，不再通知）', '{url} (answered 410 {ago}, gets nothing more)'],
  webhookAdded: [
    '已添加通知地址 {id}。它的密钥，只显示这一次：\n{secret}\n试一试：npm run compose -- webhooks test {id}',
    'Added webhook {id}. Its secret, which is not shown again:\n{secret}\nTo try it out: npm run compose -- webhooks test {id}',
  ],
  webhookRemoved: [
    '已移除通知地址 {id}，未送达的不再发送',
    'Removed webhook {id}. Messages that are not delivered yet are dropped.',
  ],
  webhookTested: [
    '几秒内发送。结果：npm run compose -- webhooks deliveries {id}',
    'A message is sent within seconds. For its result: npm run compose -- webhooks deliveries {id}',
  ],
  noDeliveries: ['过去 30 天没有发送过', 'Nothing was sent in the last 30 days.'],
  delivery_pending: ['待发送', 'pending'],
  delivery_delivered: ['已送达', 'delivered'],
  delivery_failed: ['未送达', 'failed'],
  attempts: ['{count} 次', '{count} attempts'],
  attemptsOne: ['1 次', '1 attempt'],
  nextAttempt: ['下次 {at}', 'next at {at}'],
  deliveryRetried: ['{id} 几秒内重新发送', '{id} is sent again within seconds.'],
  helpWebhooksCommand: [
    '把发布和更改通知其他服务器（签名的 POST，失败会重试）：list、add、remove、test、deliveries、retry',
    'notify other servers of releases and changes (signed POST requests with retries): list, add, remove, test, deliveries, retry',
  ],
  helpWebhooksList: ['列出通知地址', 'list webhooks'],
  helpWebhooksAdd: [
    '添加通知地址并显示它的密钥；其来源须列在服务器的 WEBHOOK_ORIGINS 中',
    'add a webhook and show its secret; its origin must be listed in WEBHOOK_ORIGINS of the server',
  ],
  helpWebhooksRemove: ['移除', 'remove it'],
  helpWebhooksTest: ['发送一条试验消息', 'send a message to try it out'],
  helpWebhooksDeliveries: [
    '过去 30 天发送的消息，最新的在前',
    'list messages of the last 30 days with their results, newest first',
  ],
  helpWebhooksRetry: ['重新发送一条消息', 'send a message again'],
  helpEvents: ['只通知这些事件，以逗号分隔（默认全部）', 'only these events, comma-separated (default: all)'],
  helpWebhooksAbout: [
    `事件：release.publish, release.yank, release.unyank, composition.start, composition.set, composition.promote, composition.rollback, composition.freeze, composition.unfreeze, composition.pin, composition.unpin, canary.start, canary.share, canary.step, canary.pause, canary.resume, canary.halt, canary.promote, canary.abort。
格式：https://www.standardwebhooks.com 。请求头 webhook-id（重试时不变）、webhook-timestamp、
webhook-signature：v1,<base64(HMAC-SHA256(密钥, "id.timestamp.正文"))>，密钥是 whsec_ 之后的 base64。
正文：{"type", "timestamp", "data"}。2xx 为送达；否则在三天内重试 9 次；410 则不再通知。同一消息可能重复或次序不同。`,
    `Events: release.publish, release.yank, release.unyank, composition.start, composition.set, composition.promote, composition.rollback, composition.freeze, composition.unfreeze, composition.pin, composition.unpin, canary.start, canary.share, canary.step, canary.pause, canary.resume, canary.halt, canary.promote, canary.abort.
Format: https://www.standardwebhooks.com. Headers webhook-id (the same for every attempt), webhook-timestamp and
webhook-signature: v1,<base64(HMAC-SHA256(key, "id.timestamp.body"))>, the key being the base64 after whsec_.
Body: {"type", "timestamp", "data"}. Any 2xx is success; others are retried 9 times within three days; 410 ends it.
A message may arrive twice, and messages in another order.`,
  ],
  badEvent: ['没有事件 "{given}"。可用的：{names}', 'there is no event "{given}". Events: {names}'],
} as const satisfies Record<string, readonly [zh: string, en: string]>;
