import type { WebhookEvent } from '../../contract/webhooks.ts';

/** All events that a webhook may choose from. */
export const WEBHOOK_EVENTS = [
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
] as const satisfies readonly WebhookEvent[];
