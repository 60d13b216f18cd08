import {
  infiniteQueryOptions,
  MutationObserver,
  type QueryClient,
  useInfiniteQuery,
  useMutationState,
} from '@tanstack/react-query';
import type { ConversationDeletion } from 'api/contract/deletions';
import type { Conversation, ConversationPage } from 'api/contract/records';
import type { Http } from 'host/contract';
import { editPages } from 'host/ui/queries.ts';
import { useMemo } from 'react';

/** The owner's conversations and the actions on them. */
export interface Conversations {
  queries: QueryClient;
  pages: ReturnType<typeof pagesOf>;
  /** Loads the list again, for example after a question. */
  refresh(): void;
  /** Shows the new title immediately, and the old one again if the call rejects. */
  rename(id: string, title: string): Promise<Conversation>;
  /** Hides the conversation immediately, and shows it again if the call rejects. */
  remove(id: string): Promise<ConversationDeletion>;
  undo(undoToken: string): Promise<void>;
  /** Removes the sign of an unread reply, which the server has marked as read. */
  markRead(id: string): void;
}

interface ListPage extends ConversationPage {
  guestDays: number | null;
}

/** An unconfirmed change: a new title, or undefined for a deletion. */
interface Change {
  id: string;
  title?: string;
}

const LIST = ['conversations'];
const CHANGE = ['change conversation'];
const FURTHER_PAGE = 100;

/** `onUnread` is called when a loaded page contains an unread reply. */
export function createConversations(http: Http, queries: QueryClient, onUnread?: () => void): Conversations {
  const refresh = () => void queries.invalidateQueries({ queryKey: LIST });
  const edit = (change: (all: Conversation[]) => Conversation[]) => {
    editPages<ListPage>(queries, LIST, (page) => ({ ...page, conversations: change(page.conversations) }));
  };

  return {
    queries,
    pages: pagesOf(http, onUnread),
    refresh,
    rename: (id, title) =>
      new MutationObserver(queries, {
        mutationKey: CHANGE,
        mutationFn: async (change: Change) =>
          (await http.patch<Conversation>(`/api/conversations/${id}`, { title: change.title })).data,
        onSuccess: (renamed) =>
          edit((all) => all.map((one) => (one.id === id ? { ...one, ...renamed } : one))),
      }).mutate({ id, title }),
    remove: (id) =>
      new MutationObserver(queries, {
        mutationKey: CHANGE,
        mutationFn: async (change: Change) =>
          (await http.delete<ConversationDeletion>(`/api/conversations/${change.id}`)).data,
        onSuccess: () => edit((all) => all.filter((one) => one.id !== id)),
      }).mutate({ id }),
    async undo(undoToken) {
      await http.post('/api/undo_delete', { undoToken });
      await queries.invalidateQueries({ queryKey: LIST });
    },
    markRead: (id) => edit((all) => all.map((one) => (one.id === id ? { ...one, unreadReply: false } : one))),
  };
}

function pagesOf(http: Http, onUnread?: () => void) {
  return infiniteQueryOptions({
    queryKey: LIST,
    async queryFn({ pageParam, signal }): Promise<ListPage> {
      const params = pageParam === null ? {} : { cursor: pageParam, limit: FURTHER_PAGE };
      const { data, headers } = await http.get<ConversationPage>('/api/conversations', { params, signal });
      if (data.conversations.some(({ unreadReply }) => unreadReply)) onUnread?.();
      return { ...data, guestDays: Number(headers['x-guest-days']) || null };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** The list, newest first, with all unconfirmed changes applied. */
export function useConversations({ queries, pages }: Conversations) {
  const query = useInfiniteQuery(pages, queries);
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
    for (const { id, title } of changes) {
      const one = all.get(id);
      if (title === undefined) all.delete(id);
      else if (one) all.set(id, { ...one, title });
    }
    return [...all.values()];
  }, [data, changes]);

  return {
    ...query,
    conversations,
    /** Number of days for which the conversations of a guest are stored after their last use; null for an account, and while unknown. */
    guestDays: data?.pages[0]?.guestDays ?? null,
    loadMore: () => void fetchNextPage({ cancelRefetch: false }),
  };
}
