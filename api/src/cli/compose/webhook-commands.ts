import { type Command, InvalidArgumentError, Option } from 'commander';
import { WEBHOOK_EVENTS } from '../../compositions/webhooks/webhook-events.ts';
import type { WebhookEvent } from '../../contract/webhooks.ts';
import type { Work } from './command-context.ts';
import type { Say } from './messages.ts';
import {
  addWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  retryDelivery,
  testWebhook,
} from './webhooks.ts';

interface Program {
  say: Say;
  add(name: string, description: string, parent?: Command): Command;
  perform(command: Command, work: Work): Promise<void>;
  limit: Option;
}

/** Adds the commands on webhooks. */
export function addWebhookCommands({ say, add, perform, limit }: Program): void {
  const webhooks = add('webhooks', say('helpWebhooksCommand'))
    .helpCommand(false)
    .addHelpText('after', `\n${say('helpWebhooksAbout')}`);

  add('list', say('helpWebhooksList'), webhooks).action((_: object, command: Command) =>
    perform(command, { run: listWebhooks }),
  );

  add('add', say('helpWebhooksAdd'), webhooks)
    .argument('<url>')
    .addOption(new Option('--events <list>', say('helpEvents')).argParser(events(say)))
    .action((url: string, options: { events?: WebhookEvent[] }, command: Command) =>
      perform(command, { run: (context) => addWebhook(context, url, options) }),
    );

  add('remove', say('helpWebhooksRemove'), webhooks)
    .argument('<id>')
    .action((id: string, _: object, command: Command) =>
      perform(command, { run: (context) => removeWebhook(context, id) }),
    );

  add('test', say('helpWebhooksTest'), webhooks)
    .argument('<id>')
    .action((id: string, _: object, command: Command) =>
      perform(command, { run: (context) => testWebhook(context, id) }),
    );

  add('deliveries', say('helpWebhooksDeliveries'), webhooks)
    .argument('[id]')
    .addOption(limit)
    .option('--cursor <cursor>', say('helpCursor'))
    .action((id: string | undefined, options: { limit?: number; cursor?: string }, command: Command) =>
      perform(command, { run: (context) => listDeliveries(context, id, options) }),
    );

  add('retry', say('helpWebhooksRetry'), webhooks)
    .argument('<delivery>')
    .action((id: string, _: object, command: Command) =>
      perform(command, { run: (context) => retryDelivery(context, id) }),
    );
}

function events(say: Say): (given: string) => WebhookEvent[] {
  return (given) =>
    given.split(',').map((text) => {
      const event = WEBHOOK_EVENTS.find((known) => known === text.trim());
      if (event) return event;
      throw new InvalidArgumentError(
        say('badEvent', { given: text.trim(), names: WEBHOOK_EVENTS.join(', ') }),
      );
    });
}
