import type { HostServices, Translate } from 'host/contract';
import { createContext, useContext } from 'react';
import type { ChatState } from '../chat-state.ts';
import type { ChatWords } from './words.ts';

export interface ChatContextValue {
  services: HostServices;
  chat: ChatState;
  t: Translate<ChatWords>;
  /** Where menus and cards are put, above everything that scrolls or clips. */
  layer: HTMLElement | null;
}

/** null until the desk has been fetched. */
export const ChatContext = createContext<ChatContextValue | null>(null);

/** The screen's services, words and state. Only for what is fetched together with the desk. */
export function useChat(): ChatContextValue {
  const value = useContext(ChatContext);
  if (!value) throw new Error('useChat needs the whole desk to have been fetched');
  return value;
}
