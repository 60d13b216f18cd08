import type { Handover, HandoverEvent, InboxEvent } from '../contract/handover.ts';
import { ApiError } from '../errors/errors.ts';
import { encodeEvent } from '../http/send-event-stream.ts';
import type { HandoverChanges } from './handover-changes.ts';
import type { HandoverInbox } from './handover-inbox.ts';
import type { Handovers } from './handovers.ts';

/** Sent first, so that the client sees the stream begin. */
const begin = ': connected\n\n';

/** Sent before the process ends the stream: readers return to another one, and not all in the same moment. */
const returnLater = () => `retry: ${Math.round(1000 + Math.random() * 2000)}\n\n`;

/** Whether the caller's session still exists. Checked before each event; `streams` of accounts end it in between. */
type IsStillThere = () => Promise<boolean>;

/** The events of a visitor: each version of a handover once. Ends with the session. */
export async function* readHandoverEvents(
  deps: { handovers: Handovers; changes: HandoverChanges },
  owner: string,
  isStillThere: IsStillThere,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { handovers, changes } = deps;
  const changed = changes.follow(owner, signal);
  const sent = new Map<string, string>();
  yield begin;
  for (const handover of await handovers.open(owner)) {
    sent.set(handover.id, versionOf(handover));
    yield encodeEvent({ event: 'handover', data: handover } satisfies HandoverEvent);
  }
  for await (const ids of changed) {
    if (!(await isStillThere())) return;
    for (const id of ids) {
      const handover = await handovers.find(owner, id).catch((cause) => {
        // It has been deleted meanwhile.
        if (cause instanceof ApiError && cause.status === 404) return null;
        throw cause;
      });
      if (!handover || sent.get(id) === versionOf(handover)) continue;
      sent.set(id, versionOf(handover));
      yield encodeEvent({ event: 'handover', data: handover } satisfies HandoverEvent);
    }
  }
  yield returnLater();
}

/** The events of the inbox. Ends with the session, or when the account no longer answers people. */
export async function* readInboxEvents(
  deps: { inbox: Pick<HandoverInbox, 'countOpen'>; changes: HandoverChanges },
  isStillThere: IsStillThere,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { inbox, changes } = deps;
  const changed = changes.follow(null, signal);
  const now = async () =>
    encodeEvent({ event: 'inbox', data: { open: await inbox.countOpen() } } satisfies InboxEvent);
  yield begin;
  yield await now();
  for await (const _ of changed) {
    if (!(await isStillThere())) return;
    yield await now();
  }
  yield returnLater();
}

function versionOf({ updatedAt, state, agent, messages }: Handover): string {
  return JSON.stringify([updatedAt, state, agent, messages.length]);
}
