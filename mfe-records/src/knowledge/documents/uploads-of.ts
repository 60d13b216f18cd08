import type { HostServices, Http } from 'host/contract';
import { createUploadQueue, type UploadQueue } from './upload-queue.ts';

/** One queue for the life of the page: uploads continue while the visitor is on another screen. */
const queues = new WeakMap<Http, UploadQueue>();

/** The queue of this page. Uploads are cancelled when the owner changes. */
export function uploadsOf({
  http,
  storage,
  updates,
}: Pick<HostServices, 'http' | 'storage' | 'updates'>): UploadQueue {
  const known = queues.get(http);
  if (known) return known;
  const queue = createUploadQueue(http);
  queues.set(http, queue);
  storage.owner$.subscribe(() => queue.clear());
  let letGo: (() => void) | undefined;
  queue.uploads$.subscribe((uploads) => {
    const isBusy = uploads.some(({ step }) => step.status === 'waiting' || step.status === 'sending');
    if (isBusy) letGo ??= updates.hold();
    else {
      letGo?.();
      letGo = undefined;
    }
  });
  return queue;
}
