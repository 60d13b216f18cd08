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

const ACTIONS = {
  remove: { path: '/ops/webhooks', done: 'webhookRemoved' },
  test: { path: '/ops/webhooks', done: 'webhookTested' },
  retry: { path: '/ops/webhooks/deliveries', done: 'deliveryRetried' },
} as const;

/** `compose webhooks remove 4f2a91c0b3d7`, `test 4f2a91c0b3d7` and `retry 4f2a91c0b3d7.move_production_17`. */
export function actOnWebhook(action: keyof typeof ACTIONS) {
  return async ({ client, say, answer }: CommandContext, id: string): Promise<void> => {
    const { path, done } = ACTIONS[action];
    const delivery = await client.post<WebhookDelivery | undefined>(
      `${path}/${encodeURIComponent(id)}/${action}`,
    );
    answer(delivery ?? { id }, () => say(done, { id }));
  };
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
