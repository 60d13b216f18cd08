import type { HostServices, Http } from 'host/contract';
import { createUploadQueue, type UploadQueue } from './upload-queue.ts';

/** One queue for the life of the page: uploads go on while the visitor looks at another screen. */
const queues = new WeakMap<Http, UploadQueue>();

/** The queue of this page. What is on its way for one owner is called off when another comes. */
export function uploadsOf({ http, storage }: Pick<HostServices, 'http' | 'storage'>): UploadQueue {
  const known = queues.get(http);
  if (known) return known;
  const queue = createUploadQueue(http);
  queues.set(http, queue);
  storage.owner$.subscribe(() => queue.clear());
  return queue;
}
