import type {
  CreatedWebhook,
  NewWebhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookInfo,
} from '../../contract/webhooks.ts';
import type { CommandContext } from './command-context.ts';
import { ago, clock, formatNextPage } from './format.ts';
import { alignColumns } from './table.ts';

/** `compose webhooks list`. */
export async function listWebhooks(context: CommandContext): Promise<void> {
  const { client, say, now } = context;
  const found = await client.get<{ webhooks: WebhookInfo[] }>('/ops/webhooks');
  context.answer(found, () => {
    if (found.webhooks.length === 0) return say('noWebhooks');
    const head = [say('headWebhook'), say('headUrl'), say('headEvents'), say('headMade'), say('headBy')];
    const rows = found.webhooks.map(({ id, url, events, createdAt, createdBy, endedAt }) => [
      id,
      endedAt ? say('webhookEnded', { url, ago: ago(endedAt, now, say) }) : url,
      events.length > 0 ? events.join(', ') : say('allEvents'),
      ago(createdAt, now, say),
      createdBy,
    ]);
    return alignColumns([head, ...rows]);
  });
}

/** `compose webhooks add https://hooks.example/desk --events canary.halt,composition.set`. */
export async function addWebhook(
  context: CommandContext,
  url: string,
  { events }: { events?: WebhookEvent[] },
): Promise<void> {
  const { client, say } = context;
  const body = { url, ...(events ? { events } : {}) } satisfies NewWebhook;
  const created = await client.post<CreatedWebhook>('/ops/webhooks', body);
  const { id, secret } = created;
  context.answer(created, () => say('webhookAdded', { id, secret }));
}

/** `compose webhooks remove 4f2a91c0b3d7`. */
export async function removeWebhook(context: CommandContext, id: string): Promise<void> {
  const { client, say } = context;
  await client.post(`/ops/webhooks/${encodeURIComponent(id)}/remove`, {});
  context.answer({ id }, () => say('webhookRemoved', { id }));
}

/** `compose webhooks test 4f2a91c0b3d7`. */
export async function testWebhook(context: CommandContext, id: string): Promise<void> {
  const delivery = await context.client.post<WebhookDelivery>(
    `/ops/webhooks/${encodeURIComponent(id)}/test`,
    {},
  );
  context.answer(delivery, () => context.say('webhookTested', { id }));
}

/** `compose webhooks deliveries [id]`: what was sent, newest first. */
export async function listDeliveries(
  context: CommandContext,
  id: string | undefined,
  options: { limit?: number; cursor?: string },
): Promise<void> {
  const { client, say, now } = context;
  const { limit, cursor } = options;
  const page = await client.get<{ deliveries: WebhookDelivery[]; nextCursor: string | null }>(
    '/ops/webhooks/deliveries',
    { webhook: id, limit, cursor },
  );
  context.answer(page, () => {
    if (page.deliveries.length === 0) return say('noDeliveries');
    const head = [
      say('headDelivery'),
      say('headWhen'),
      say('headEvent'),
      say('headState'),
      say('headResult'),
    ];
    const rows = page.deliveries.map(({ id, createdAt, type, state, attempts, nextAt, status, error }) => [
      id,
      ago(createdAt, now, say),
      type,
      say(`delivery_${state}`),
      [
        ...(attempts > 0 ? [say('attempts', { count: attempts })] : []),
        ...(error ? [error] : status === null ? [] : [String(status)]),
        ...(nextAt && attempts > 0 ? [say('nextAttempt', { at: clock(nextAt, now) })] : []),
      ].join(', '),
    ]);
    const command = ['webhooks', 'deliveries', ...(id ? [id] : [])];
    return `${alignColumns([head, ...rows])}${formatNextPage(command, options, page.nextCursor, say)}`;
  });
}

/** `compose webhooks retry 4f2a91c0b3d7.move_production_17`. */
export async function retryDelivery(context: CommandContext, id: string): Promise<void> {
  const path = `/ops/webhooks/deliveries/${encodeURIComponent(id)}/retry`;
  const delivery = await context.client.post<WebhookDelivery>(path, {});
  context.answer(delivery, () => context.say('deliveryRetried', { id }));
}
