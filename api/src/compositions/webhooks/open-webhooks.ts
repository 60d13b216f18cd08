import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { repeat } from '../../store/repeat.ts';
import type { CompositionStore } from '../composition-store.ts';
import { enqueueMessages } from './enqueue-messages.ts';
import { sendDeliveries } from './send-deliveries.ts';
import { createWebhookModels } from './webhook.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

/** Interval of checks for messages to create and to send, in ms. */
const INTERVAL_MS = 2000;

export interface OpenWebhooks {
  webhooks: Webhooks;
  /** Creates and sends messages from now on. */
  watch(): void;
  /** Interrupts requests, which another process, or the next start, repeats. */
  stop(): Promise<void>;
}

export async function openWebhooks(deps: {
  connection: Connection;
  store: CompositionStore;
  config: Pick<Config, 'webhookOrigins' | 'environment'>;
  /** Used for secrets of webhooks only, see `deriveKey`. */
  key: Buffer;
  log: Logger;
}): Promise<OpenWebhooks> {
  const { connection, config, log } = deps;
  const { webhookOrigins, environment } = config;
  const models = createWebhookModels(connection);
  await Promise.all([models.webhooks.createIndexes(), models.deliveries.createIndexes()]);
  const now = () => new Date();
  const own = { ...deps, models, webhookOrigins, environment, now };
  const stopping = new AbortController();
  let repeated: ReturnType<typeof repeat>[] = [];
  return {
    webhooks: createWebhooks(own),
    watch() {
      repeated = [
        repeat(INTERVAL_MS, log, () => enqueueMessages(own)),
        // On its own: a receiver that does not answer must not delay the creation of messages.
        repeat(INTERVAL_MS, log, () => sendDeliveries(own, stopping.signal)),
      ];
    },
    async stop() {
      stopping.abort();
      await Promise.all(repeated.map((one) => one.stop()));
    },
  };
}
