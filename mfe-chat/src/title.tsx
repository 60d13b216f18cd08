import { useStream } from 'host/ui/use-stream.ts';
import { useEffect, useSyncExternalStore } from 'react';
import { useChat } from './state/chat-context.ts';
import { useConversations } from './state/conversations.ts';

export function Title() {
  return (
    <h1 className="clip" dir="auto">
      {useTitle()}
    </h1>
  );
}

/** Maximum number of conversations loaded to find a title. */
const MAX_CONVERSATIONS = 1000;

/** The title of the conversation, or of a new one the beginning of its first question. */
function useTitle(): string {
  const { t, chat } = useChat();
  const { conversationId, hasOlder, phase } = useStream(chat.consultation.state$);
  const { conversations, data, hasNextPage, isFetching, isError, loadMore } = useConversations(
    chat.conversations,
  );
  const keys = useSyncExternalStore(chat.store.subscribe, chat.store.keys);
  const title = conversations.find(({ id }) => id === conversationId)?.title;
  const isUnlisted = conversationId !== null && title === undefined && data && phase === 'ready';
  const isSearching =
    isUnlisted && hasNextPage && !isFetching && !isError && conversations.length < MAX_CONVERSATIONS;

  // biome-ignore lint/correctness/useExhaustiveDependencies: every loaded page requests the next
  useEffect(() => {
    if (isSearching) loadMore();
  }, [isSearching, data]);

  if (title) return title;
  const firstQuestion = hasOlder ? '' : (chat.store.message(keys[0] ?? '')?.text ?? '');
  return firstQuestion.split('\n', 1)[0] || t(conversationId === null ? 'newQuestion' : 'consultation');
}
