import type { HostServices, Translate } from 'host/contract';
import { createContext, useContext } from 'react';
import type { ChatState } from './chat-state.ts';
import type { ChatTexts } from './texts.ts';

interface ChatContextValue {
  services: HostServices;
  chat: ChatState;
  t: Translate<ChatTexts>;
}

/** null until the deferred parts are loaded. */
export const ChatContext = createContext<ChatContextValue | null>(null);

/** Services, texts and state of the screen. Only for components of the deferred chunk. */
export function useChat(): ChatContextValue {
  const value = useContext(ChatContext);
  if (!value) throw new Error('useChat must be used within the deferred parts of the chat screen');
  return value;
}
