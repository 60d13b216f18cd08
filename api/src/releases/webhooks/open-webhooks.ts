import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { type Changes, sets } from '../../store/changes.ts';
import { createIndexes } from '../../store/create-indexes.ts';
import { databaseDate } from '../../store/database-clock.ts';
import type { Jobs } from '../../store/jobs/jobs.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import { environmentKey } from '../data/environment.ts';
import { enqueueMessages, hasNews } from './enqueue-messages.ts';
import { nextDeliveryAt, sendDeliveries } from './send-deliveries.ts';
import { createWebhookModels } from './webhook.ts';
import { createWebhooks } from './webhooks.ts';

/** Interval of looking for messages and deliveries that no job was added for, in ms. */
const everyMs = 3_600_000;
/** Minimum time between two rounds of deliveries, in ms. */
const minWaitMs = 1000;

export async function openWebhooks(deps: {
  connection: Connection;
  store: CompositionStore;
  config: Pick<Config, 'webhookOrigins' | 'environment'>;
  /** Used for secrets of webhooks only, see `deriveKey`. */
  key: Buffer;
  jobs: Pick<Jobs, 'define' | 'add'>;
  changes: Pick<Changes, 'follow'>;
  log: Logger;
}) {
  const { connection, config, jobs, changes } = deps;
  const { webhookOrigins, environment } = config;
  const models = createWebhookModels(connection);
  await createIndexes(models);
  const now = databaseDate;
  const own = { ...deps, models, webhookOrigins, environment, now };
  const creating = environmentKey('create webhook messages', config);
  const sending = environmentKey('send webhook messages', config);
  const send = () => jobs.add(sending);

  jobs.define({
    kind: creating,
    everyMs,
    async run() {
      await enqueueMessages(own);
      await send();
    },
  });
  // On its own: a receiver that does not answer must not delay the creation of messages.
  jobs.define({
    kind: sending,
    everyMs,
    async run(_, signal) {
      await sendDeliveries(own, signal);
      const next = await nextDeliveryAt(own);
      return next && Math.max(next.getTime() - now().getTime(), minWaitMs);
    },
  });
  const look = async () => {
    if (await hasNews(own)) await jobs.add(creating);
  };
  changes.follow('pointers', look);
  changes.follow('releases', look, { match: sets('announce', true) });
  return createWebhooks({ ...own, send });
}
