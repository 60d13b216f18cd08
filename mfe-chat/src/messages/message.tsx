import { memo, useCallback, useSyncExternalStore } from 'react';
import type { ChatMessage } from '../conversation/chat-message.ts';
import { useChat } from '../shared/chat-context.ts';
import { BotMessage } from './bot-message.tsx';
import { UserMessage } from './user-message.tsx';

/** One message by its key. Renders only when this message changes. */
export const Message = memo(function Message({ messageKey }: { messageKey: string }) {
  const message = useMessage(messageKey);
  if (!message) return null;
  return message.inversion ? <UserMessage message={message} /> : <BotMessage message={message} />;
});

function useMessage(key: string): ChatMessage | undefined {
  const { store } = useChat().chat;
  const subscribe = useCallback(
    (listener: () => void) => store.subscribeMessage(key, listener),
    [store, key],
  );
  return useSyncExternalStore(subscribe, () => store.message(key));
}
