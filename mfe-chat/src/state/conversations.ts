import {
  infiniteQueryOptions,
  MutationObserver,
  type QueryClient,
  useInfiniteQuery,
  useMutationState,
} from '@tanstack/react-query';
import type { ConversationDeletion } from 'api/contract/deletions';
import type { Conversation, ConversationChange, ConversationPage } from 'api/contract/records';
import type { Http } from 'host/contract';
import { editPages } from 'host/ui/queries.ts';
import { useMemo } from 'react';

export type Conversations = ReturnType<typeof createConversations>;

export interface ListPage extends ConversationPage {
  guestDays: number | null;
}

/** A change that the server has not confirmed; without `to`, a deletion. */
interface Change {
  id: string;
  to?: ConversationChange;
}

const LIST = ['conversations'];
const ARCHIVED = [...LIST, 'archived'];
const CHANGE = ['change conversation'];
const FURTHER_PAGE = 100;

/** `onUnread` is called when a loaded page contains an unread reply, `onRemoved` after a deletion. */
export function createConversations(
  http: Http,
  queries: QueryClient,
  { onUnread, onRemoved }: { onUnread?(): void; onRemoved?(): void } = {},
) {
  const refresh = () => void queries.invalidateQueries({ queryKey: LIST });
  const edit = (change: (all: Conversation[]) => Conversation[]) => {
    for (const key of [LIST, ARCHIVED])
      editPages<ListPage>(queries, key, (page) => ({ ...page, conversations: change(page.conversations) }));
  };
  /** Shows a change immediately, until `send` is answered. */
  const mutate = <T>(change: Change, send: () => Promise<{ data: T }>, onSuccess: (answer: T) => void) =>
    new MutationObserver(queries, {
      mutationKey: CHANGE,
      mutationFn: async (_change: Change) => (await send()).data,
      onSuccess,
    }).mutate(change);
  const change = (id: string, to: ConversationChange) => {
    const send = () => http.patch<Conversation>(`/api/conversations/${id}`, to);
    return mutate({ id, to }, send, (changed) => {
      const isMoved = to.title === undefined;
      edit((all) =>
        all.map((one) => (one.id === id ? after(isMoved ? changed : { ...one, ...changed }, to) : one)),
      );
      if (!isMoved) return;
      if (to.archived) editPages<ListPage>(queries, LIST, (page) => ({ ...page, hasArchived: true }));
      refresh();
    });
  };

  return {
    queries,
    pages: pagesOf(http, LIST, {}, onUnread),
    archivedPages: pagesOf(http, ARCHIVED, { archived: 1 }, onUnread),
    /** Loads the list again, for example after a question. */
    refresh,
    /** Shows the new title immediately, and the old one again if the call rejects. */
    rename: (id: string, title: string) => change(id, { title }),
    /** Pins, unpins, archives or unarchives it immediately, and moves it back if the call rejects. */
    place: (id: string, place: Pick<ConversationChange, 'pinned' | 'archived'>) => change(id, place),
    /** Hides the conversation immediately, and shows it again if the call rejects. */
    remove: (id: string) =>
      mutate(
        { id },
        () => http.delete<ConversationDeletion>(`/api/conversations/${id}`),
        () => {
          edit((all) => all.filter((one) => one.id !== id));
          onRemoved?.();
        },
      ),
    async undo(undoToken: string): Promise<void> {
      await http.post('/api/undo_delete', { undoToken });
      await queries.invalidateQueries({ queryKey: LIST });
    },
    /** Removes the mark of an unread reply, which the server has already marked as read. */
    markRead: (id: string) =>
      edit((all) => all.map((one) => (one.id === id ? { ...one, unreadReply: false } : one))),
  };
}

function pagesOf(http: Http, queryKey: readonly string[], which: { archived?: 1 }, onUnread?: () => void) {
  return infiniteQueryOptions({
    queryKey,
    async queryFn({ pageParam, signal }): Promise<ListPage> {
      const params = pageParam === null ? which : { ...which, cursor: pageParam, limit: FURTHER_PAGE };
      const { data, headers } = await http.get<ConversationPage>('/api/conversations', { params, signal });
      if (data.conversations.some(({ unreadReply }) => unreadReply)) onUnread?.();
      return { ...data, guestDays: Number(headers['x-guest-days']) || null };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** A conversation after a change that is not confirmed yet. */
function after(one: Conversation, { title = one.title, pinned, archived }: ConversationChange): Conversation {
  const { pinned: wasPinned = false, archived: wasArchived = false, ...rest } = one;
  return {
    ...rest,
    title,
    pinned: pinned ?? (wasPinned && !archived),
    archived: archived ?? (wasArchived && !pinned),
  };
}

/** The list, newest first, with all unconfirmed changes applied; `isArchived` selects the archived ones instead of the others. */
export function useConversations(
  { queries, pages, archivedPages }: Conversations,
  { isArchived = false }: { isArchived?: boolean } = {},
) {
  const query = useInfiniteQuery(isArchived ? archivedPages : pages, queries);
  const changes = useMutationState<Change>(
    {
      filters: { mutationKey: CHANGE, status: 'pending' },
      select: ({ state }) => state.variables as Change,
    },
    queries,
  );
  const { data, fetchNextPage } = query;
  const conversations = useMemo(() => {
    const all = new Map(data?.pages.flatMap((page) => page.conversations).map((one) => [one.id, one]));
    for (const { id, to } of changes) {
      const one = all.get(id);
      if (!to) all.delete(id);
      else if (one) all.set(id, after(one, to));
    }
    return [...all.values()].filter(({ archived = false }) => archived === isArchived);
  }, [data, changes, isArchived]);

  return {
    ...query,
    conversations,
    /** Whether there are archived conversations; false while that is unknown. */
    hasArchived: data?.pages[0]?.hasArchived ?? false,
    /** Number of days for which the conversations of a guest are stored after their last use; null for an account, and while unknown. */
    guestDays: data?.pages[0]?.guestDays ?? null,
    loadMore: () => void fetchNextPage({ cancelRefetch: false }),
  };
}
