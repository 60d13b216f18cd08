import type { PageEvent, PageReport } from 'api/contract/reports';

export interface Sender {
  add(event: PageEvent): void;
  /** Sends what there is, now. */
  flush(): void;
}

interface Options {
  /** Random, of this page load alone. */
  page: string;
  composition: string;
  /** Hands a report to the browser; false when it takes no more. */
  send(report: PageReport): boolean;
}

/** Events of one report, and of one page: what fails more often fails in one way. */
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
