import type {
  HandoverMessageRequest,
  InboxDetail,
  InboxEntry,
  InboxPage,
  InboxSummary,
} from 'api/contract/handover';
import { type Answer, type Call, failure } from 'host/stand-ins';

export interface InboxServer {
  /** The requests, those with the longest wait first. A test may change them as another editor would, and then call `report`. */
  handovers: InboxDetail[];
  /** Sends an event to all streams. */
  report(): void;
  /** Ends all streams, as when the connection is lost. */
  drop(): void;
  /** Answers the calls of /inbox like the API; undefined for others. */
  answer: Answer;
}

interface Options {
  isEditor?: boolean;
  /** Name of the editor. */
  me?: string;
}

/** The API of /inbox with data in memory. */
export function createInboxServer(
  start: InboxDetail[],
  { isEditor = true, me = 'anna' }: Options = {},
): InboxServer {
  const server: InboxServer = { handovers: start, report, drop, answer };
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  /** Messages by `clientId`: a repetition has no effect. */
  const sent = new Set<string>();
  let ids = 0;

  const open = () => server.handovers.filter(({ handover }) => handover.state !== 'closed');
  const event = () =>
    new TextEncoder().encode(`event: inbox\ndata: ${JSON.stringify({ open: open().length })}\n\n`);

  function report(): void {
    for (const stream of streams) stream.enqueue(event());
  }

  function drop(): void {
    for (const stream of streams) stream.close();
    streams.clear();
  }

  function answer({ method, url, body, params }: Call): unknown {
    const path = /^\/api\/inbox(?:\/(.*))?$/.exec(url);
    if (!path) return undefined;
    const [id = '', action = ''] = (path[1] ?? '').split('/').map(decodeURIComponent);
    if (id === 'summary')
      return (
        isEditor ? { open: open().length, waiting: open().length } : { open: null, waiting: null }
      ) satisfies InboxSummary;
    if (!isEditor) throw failure(403, 'forbidden', '只有编辑者能看人工咨询');
    if (id === 'events') return stream();
    if (id === '') return page(params);
    const before = server.handovers.find(({ handover }) => handover.id === id);
    if (!before) throw failure(404, 'not_found', '没有找到这次人工咨询');
    if (method === 'GET') return before;
    return put(changed(before, action, body));
  }

  function stream(): ReadableStream<Uint8Array> {
    let mine: ReadableStreamDefaultController<Uint8Array>;
    return new ReadableStream<Uint8Array>({
      start(controller) {
        mine = controller;
        streams.add(controller);
        controller.enqueue(event());
      },
      cancel: () => void streams.delete(mine),
    });
  }

  function page({ state, cursor, limit = 20 }: Call['params']): InboxPage {
    const all = state === 'closed' ? server.handovers.filter((one) => !open().includes(one)) : open();
    const from = Number(cursor ?? 0);
    const next = from + Number(limit);
    return {
      handovers: all.slice(from, next).map(toEntry),
      open: open().length,
      nextCursor: next < all.length ? String(next) : null,
    };
  }

  function changed(before: InboxDetail, action: string, body: unknown): InboxDetail {
    const { handover, agent, isMine } = before;
    if (action === 'pair') return { ...before, pairId: 'p-new' };
    if (action === 'close') return { ...before, handover: { ...handover, state: 'closed' } };
    if (handover.state === 'closed') throw failure(409, 'handover_closed', '这次咨询已经结束');
    if (action === 'release') return assigned({ ...before, isMine: false }, null, 'waiting');
    if (agent !== null && !isMine) throw failure(409, 'handover_taken', `${agent} 已经接手了这次咨询`);
    if (action === 'take') return assigned(before, me, 'assigned');
    const { text, clientId } = body as HandoverMessageRequest;
    if (sent.has(clientId)) return before;
    sent.add(clientId);
    ids += 1;
    const message = {
      id: `m-new-${ids}`,
      from: 'agent' as const,
      name: me,
      text,
      createdAt: new Date().toISOString(),
    };
    const messages = [...handover.messages, message];
    return assigned({ ...before, handover: { ...handover, messages } }, me, 'answered');
  }

  function put(after: InboxDetail): InboxDetail {
    server.handovers = server.handovers.map((one) => (one.handover.id === after.handover.id ? after : one));
    report();
    return after;
  }

  return server;
}

function assigned(
  { handover, ...rest }: InboxDetail,
  agent: string | null,
  state: 'waiting' | 'assigned' | 'answered',
): InboxDetail {
  return { ...rest, agent, isMine: agent !== null, handover: { ...handover, agent, state } };
}

function toEntry({ handover: { messages, ...handover }, isMine }: InboxDetail): InboxEntry {
  const last = messages.at(-1);
  return {
    ...handover,
    isMine,
    lastMessage: last?.text ?? handover.question,
    waitingSince: last?.createdAt ?? handover.createdAt,
  };
}
