import type { MoveKind } from '../../contract/compositions.ts';
import { WebhookEvent, type WebhookMessage } from '../../contract/webhooks.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import { readPointer, recordMove } from '../data/move-pointer.ts';
import { describeMoves } from '../live/history.ts';
import type { Delivery, Webhook, WebhookModels } from './webhook.ts';

/** Maximum number of moves and of releases per call. */
const MAX_AT_ONCE = 100;

interface EnqueueDeps {
  store: CompositionStore;
  models: WebhookModels;
  now(): Date;
}

interface Message extends WebhookMessage {
  id: string;
}

/**
 * Creates the deliveries of everything that has happened since the last call. Any process may do so at any time,
 * and may be killed: moves of the pointer are numbered without gaps, and each webhook remembers the last one it
 * has a delivery of; a release is marked in the same write that publishes it. Ids are derived, so repeating it
 * creates nothing twice.
 */
export async function enqueueMessages(deps: EnqueueDeps): Promise<void> {
  const { models } = deps;
  const webhooks = await models.webhooks.find({ endedAt: null }).lean();
  await enqueueReleases(webhooks, deps);
  await enqueueMoves(
    webhooks.filter(({ environment }) => environment === deps.store.environment),
    deps,
  );
}

/** Whether something has happened that `enqueueMessages` has not seen. */
export async function hasNews({ store, models }: Omit<EnqueueDeps, 'now'>): Promise<boolean> {
  if (await store.releases.exists({ announce: true })) return true;
  const { environment } = store;
  const behind = { environment, endedAt: null, cursor: { $lt: (await readPointer(store))?.revision ?? 0 } };
  return (await models.webhooks.exists(behind)) !== null;
}

async function enqueueReleases(webhooks: readonly Webhook[], deps: EnqueueDeps): Promise<void> {
  const { releases } = deps.store;
  const found = await releases
    .find({ announce: true }, { name: 1, version: 1, commit: 1, publishedAt: 1, publishedBy: 1 })
    .limit(MAX_AT_ONCE)
    .lean();
  for (const { _id, name, version, commit, publishedAt, publishedBy } of found) {
    const at = publishedAt ?? deps.now();
    const message: Message = {
      id: `release_${_id}_${at.getTime().toString(36)}`,
      type: 'release.publish',
      timestamp: at.toISOString(),
      data: { release: _id, name, version, commit, publishedBy },
    };
    // A webhook is not notified of events before it was created.
    for (const webhook of webhooks.filter(({ createdAt }) => createdAt <= at))
      await enqueue(message, webhook, deps);
    await releases.updateOne({ _id }, { $unset: { announce: '' } });
  }
}

async function enqueueMoves(webhooks: readonly Webhook[], deps: EnqueueDeps): Promise<void> {
  if (webhooks.length === 0) return;
  const { store, models } = deps;
  const pointer = await readPointer(store);
  if (!pointer) return;
  const behind = webhooks.filter(({ cursor }) => cursor < pointer.revision);
  if (behind.length === 0) return;
  // All earlier moves were recorded before this one.
  await recordMove(store, pointer);
  for (const webhook of behind) {
    const { _id, cursor } = webhook;
    const moves = await store.moves
      .find({ _id: { $gt: cursor, $lte: pointer.revision } })
      .sort({ _id: 1 })
      .limit(MAX_AT_ONCE)
      .lean();
    for (const move of await describeMoves(moves, store)) {
      const { revision, at, kind } = move;
      const message: Message = {
        id: `move_${store.environment}_${revision}`,
        type: eventOf(kind, move.promotedFrom !== undefined),
        timestamp: at,
        data: { environment: store.environment, ...move },
      };
      await enqueue(message, webhook, deps);
    }
    const last = moves.at(-1)?._id ?? cursor;
    await models.webhooks.updateOne({ _id, cursor }, { $set: { cursor: last } });
  }
}

/** Creates the delivery unless it exists already or the webhook does not want such events. */
export async function enqueue(
  { id, ...message }: Message,
  webhook: Webhook,
  { models, now }: Omit<EnqueueDeps, 'store'>,
): Promise<string> {
  const _id = `${webhook._id}.${id}`;
  const { type } = message;
  if (type !== 'webhook.test' && webhook.events.length > 0 && !webhook.events.includes(type)) return _id;
  const delivery: Delivery = {
    _id,
    webhook: webhook._id,
    environment: webhook.environment,
    messageId: id,
    type,
    body: JSON.stringify(message),
    createdAt: now(),
    state: 'pending',
    attempts: 0,
    dueAt: now(),
    status: null,
    error: null,
  };
  await unlessDuplicate(models.deliveries.create(delivery));
  return _id;
}

function eventOf(kind: MoveKind, isPromotion: boolean): WebhookEvent {
  if (kind === 'canary') return 'canary.start';
  if (kind === 'promote') return isPromotion ? 'composition.promote' : 'canary.promote';
  // The other kinds are the second part of one event; `start` is that of a composition, which is listed before the canary's.
  return WebhookEvent.options.find((event) => event.endsWith(`.${kind}`))!;
}
