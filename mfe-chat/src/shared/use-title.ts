import { useStream } from 'host/ui/use-stream.ts';
import { useEffect, useSyncExternalStore } from 'react';
import { useChat } from './chat-context.ts';

/** The title of the conversation, or of a new one the beginning of its first question. */
export function useTitle(): string {
  const { t, chat } = useChat();
  const { conversationId, hasOlder, phase } = useStream(chat.consultation.state$);
  const list = useStream(chat.conversations.state$);
  const keys = useSyncExternalStore(chat.store.subscribe, chat.store.keys);
  const title = list.conversations.find(({ id }) => id === conversationId)?.title;
  const isUnlisted =
    conversationId !== null && title === undefined && list.phase === 'ready' && phase === 'ready';

  useEffect(() => {
    if (isUnlisted && conversationId) void chat.conversations.seek(conversationId);
  }, [isUnlisted, conversationId, chat]);

  if (title) return title;
  const firstWords = hasOlder ? '' : (chat.store.message(keys[0] ?? '')?.text ?? '');
  return firstWords.split('\n', 1)[0] || t(conversationId === null ? 'newQuestion' : 'consultation');
}
