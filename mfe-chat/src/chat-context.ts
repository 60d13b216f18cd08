import type { HostServices, Language, Translate } from 'host/contract';
import { createContext, useContext } from 'react';
import type { Desk } from './desk.ts';
import type { ChatWords } from './words.ts';

export interface ChatContextValue {
  services: HostServices;
  desk: Desk;
  t: Translate<ChatWords>;
  language: Language;
  /** Where menus and cards are put, above everything that scrolls or clips. */
  layer: HTMLElement | null;
}

export const ChatContext = createContext<ChatContextValue | null>(null);

/** The screen's services, words and state. Only for components inside the chat screen. */
export function useChat(): ChatContextValue {
  const value = useContext(ChatContext);
  if (!value) throw new Error('useChat needs a ChatContext around it');
  return value;
}
