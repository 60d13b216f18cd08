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
const AT_ONCE = 20;
const IN_ALL = 200;

export function createSender({ page, composition, send }: Options): Sender {
  let waiting: PageEvent[] = [];
  let count = 0;
  return {
    add(event) {
      if (++count <= IN_ALL) waiting.push(event);
    },
    flush() {
      while (waiting.length) {
        if (!send({ page, composition, events: waiting.slice(0, AT_ONCE) })) return;
        waiting = waiting.slice(AT_ONCE);
      }
    },
  };
}
