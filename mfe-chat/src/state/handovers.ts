import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  Handover,
  HandoverList,
  HandoverMessageRequest,
  HandoverRequest,
  ResponseTime,
} from 'api/contract/handover';
import type { HostServices } from 'host/contract';
import { Subject } from 'rxjs';
import type { Conversations } from './conversations.ts';
import { createHandoverStream } from './handover-stream.ts';

export type Handovers = ReturnType<typeof createHandovers>;

interface HandoversDeps extends Pick<HostServices, 'http' | 'storage' | 'token$'> {
  queries: QueryClient;
  conversations: Pick<Conversations, 'refresh' | 'markRead'>;
  /** The conversation on the screen. */
  shownId(): string | null;
}

/** The visitor's requests for a person, and the replies to them. Its writes reject like `http`. */
export function createHandovers(deps: HandoversDeps) {
  const { http, storage, queries, conversations, shownId } = deps;
  const replied$ = new Subject<Handover>();
  /** The newest known version of each handover. */
  const latest = new Map<string, Handover>();

  /** Returns the newest version, because responses and events may arrive out of order. */
  const learn = (received: Handover): Handover => {
    const known = latest.get(received.id);
    const newest = known && known.updatedAt > received.updatedAt ? known : received;
    latest.set(newest.id, newest);
    stream.note(newest);
    return newest;
  };
  const receive = (received: Handover) => {
    const newest = learn(received);
    const query = { queryKey: keyOf(newest.conversationId) };
    const isReading = queries.isFetching(query) > 0;
    void queries.cancelQueries(query);
    queries.setQueryData<Handover[]>(query.queryKey, (before) => before && withHandover(before, newest));
    // The response in progress may be older than this version.
    if (isReading) void queries.invalidateQueries(query);
  };
  const receiveEvent = (received: Handover) => {
    const known = latest.get(received.id);
    receive(received);
    // The list of conversations already shows replies from before the page was opened.
    if (!known || countReplies(received) <= countReplies(known)) return;
    replied$.next(received);
    const { conversationId } = received;
    if (conversationId !== shownId()) conversations.refresh();
    else if (!document.hidden) void queries.invalidateQueries({ queryKey: keyOf(conversationId) });
  };
  const stream = createHandoverStream(
    deps,
    receiveEvent,
    () => void queries.invalidateQueries({ queryKey: [KEY] }),
  );

  const read = async (conversationId: string, signal: AbortSignal): Promise<Handover[]> => {
    const isSeen = !document.hidden;
    const url = `/api/conversations/${conversationId}/handovers`;
    const { data } = isSeen
      ? await http.post<HandoverList>(`${url}/seen`, undefined, { signal })
      : await http.get<HandoverList>(url, { signal });
    const handovers = data.handovers.map(learn);
    if (isSeen && handovers.some((one) => countReplies(one) > 0)) conversations.markRead(conversationId);
    return handovers;
  };

  return {
    /** The handovers of a conversation, oldest first. Reading them while the page is visible marks their replies as read. */
    ofConversation: (conversationId: string) =>
      queryOptions({
        queryKey: keyOf(conversationId),
        queryFn: ({ signal }) => read(conversationId, signal),
        staleTime: 0,
        // Marks replies as read that arrived while the page was hidden.
        refetchOnWindowFocus: ({ state }) => Boolean(state.data?.length),
      }),
    responseTime: queryOptions({
      queryKey: ['response time'],
      queryFn: async ({ signal }) =>
        (await http.get<ResponseTime>('/api/handovers/expectation', { signal })).data,
    }),
    /** Resolves with the open handover of the conversation if there is one, whatever the request contains. */
    async ask(request: HandoverRequest): Promise<Handover> {
      const { data } = await http.post<Handover>('/api/handovers', request);
      receive(data);
      conversations.refresh();
      return data;
    },
    async write(id: string, message: HandoverMessageRequest): Promise<void> {
      try {
        receive((await http.post<Handover>(`/api/handovers/${id}/messages`, message)).data);
      } catch (reason) {
        // It may have been closed meanwhile.
        const conversationId = latest.get(id)?.conversationId;
        if (conversationId) void queries.invalidateQueries({ queryKey: keyOf(conversationId) });
        throw reason;
      }
    },
    async close(id: string): Promise<void> {
      receive((await http.post<Handover>(`/api/handovers/${id}/close`)).data);
    },
    /** Follows changes for a while, because a handover may be open that this page does not know yet. */
    expect: stream.expect,
    /** Emits each handover with a new reply that arrived while the page was open. */
    replied$,
    /** Emits sentences for screen readers. */
    announced$: new Subject<string>(),
    /** Emits the id of the handover to which the text field should write, with the focus; its draft may have changed. */
    focus$: new Subject<string>(),
    /** Starts following changes. Returns a function that ends this, after which `connect` can be called again. */
    connect(): () => void {
      const owner = storage.owner$.subscribe(() => {
        latest.clear();
        // Loaded again together with their conversation, which the next owner may not have.
        queries.removeQueries({ queryKey: [KEY] });
      });
      const disconnect = stream.connect();
      return () => {
        owner.unsubscribe();
        disconnect();
      };
    },
  };
}

const KEY = 'handovers';
const keyOf = (conversationId: string) => [KEY, conversationId];

function withHandover(all: Handover[], changed: Handover): Handover[] {
  const isKnown = all.some(({ id }) => id === changed.id);
  return isKnown ? all.map((one) => (one.id === changed.id ? changed : one)) : [...all, changed];
}

function countReplies({ messages }: Handover): number {
  return messages.filter(({ from }) => from === 'agent').length;
}
