import type { PageEvent, PageReport } from 'api/contract/reports';

export interface Sender {
  add(event: PageEvent): void;
  /** Sends everything collected so far. */
  flush(): void;
}

interface Options {
  /** Random id of this page load. */
  page: string;
  composition: string;
  /** Passes a report to the browser; false if its queue is full. */
  send(report: PageReport): boolean;
}

/** Maximum number of events in one report, and in total: further failures are most likely repetitions. */
const MAX_EVENTS_PER_REPORT = 20;
const MAX_EVENTS = 200;

export function createSender({ page, composition, send }: Options): Sender {
  let queue: PageEvent[] = [];
  let count = 0;
  return {
    add(event) {
      if (++count <= MAX_EVENTS) queue.push(event);
    },
    flush() {
      while (queue.length) {
        if (!send({ page, composition, events: queue.slice(0, MAX_EVENTS_PER_REPORT) })) return;
        queue = queue.slice(MAX_EVENTS_PER_REPORT);
      }
    },
  };
}
