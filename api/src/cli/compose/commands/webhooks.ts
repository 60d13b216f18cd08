import type {
  CreatedWebhook,
  NewWebhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookInfo,
} from '../../../contract/webhooks.ts';
import type { CommandContext } from '../context/command-context.ts';
import { ago, clock } from '../context/format.ts';
import { answerPage, type Column, formatTable, type PageOptions } from './table.ts';

/** `compose webhooks list`. */
export async function listWebhooks(context: CommandContext): Promise<void> {
  const { client, say, now } = context;
  const found = await client.get<{ webhooks: WebhookInfo[] }>('/ops/webhooks');
  context.answer(found, () => {
    if (found.webhooks.length === 0) return say('noWebhooks');
    return formatTable(
      found.webhooks,
      [
        ['headWebhook', ({ id }) => id],
        [
          'headUrl',
          ({ url, endedAt }) => (endedAt ? say('webhookEnded', { url, ago: ago(endedAt, now, say) }) : url),
        ],
        ['headEvents', ({ events }) => events.join(', ') || say('allEvents')],
        ['headMade', ({ createdAt }) => ago(createdAt, now, say)],
        ['headBy', ({ createdBy }) => createdBy],
      ],
      say,
    );
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

/** `compose webhooks deliveries [id]`: the sent messages, newest first. */
export function listDeliveries(context: CommandContext, id: string | undefined, options: PageOptions) {
  const { say, now } = context;
  const columns: Column<WebhookDelivery>[] = [
    ['headDelivery', (delivery) => delivery.id],
    ['headWhen', ({ createdAt }) => ago(createdAt, now, say)],
    ['headEvent', ({ type }) => type],
    ['headState', ({ state }) => say(`delivery_${state}`)],
    [
      'headResult',
      ({ attempts, error, status, nextAt }) =>
        [
          ...(attempts > 0 ? [say('attempts', { count: attempts })] : []),
          ...(error ? [error] : status === null ? [] : [String(status)]),
          ...(nextAt && attempts > 0 ? [say('nextAttempt', { at: clock(nextAt, now) })] : []),
        ].join(', '),
    ],
  ];
  return answerPage(context, 'deliveries', columns, {
    path: '/ops/webhooks/deliveries',
    query: { webhook: id },
    command: ['webhooks', 'deliveries', ...(id ? [id] : [])],
    none: 'noDeliveries',
    options,
  });
}

/** `compose webhooks retry 4f2a91c0b3d7.move_production_17`. */
export async function retryDelivery(context: CommandContext, id: string): Promise<void> {
  const path = `/ops/webhooks/deliveries/${encodeURIComponent(id)}/retry`;
  const delivery = await context.client.post<WebhookDelivery>(path, {});
  context.answer(delivery, () => context.say('deliveryRetried', { id }));
}
