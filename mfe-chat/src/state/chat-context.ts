import type { HostServices, Texts, Translate } from 'host/contract';
import { useSelected } from 'host/ui/use-stream.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import { createContext, useContext } from 'react';
import type { AttachedFile } from './attachments.ts';
import type { ChatState } from './chat-state.ts';
import type { Drafts } from './drafts.ts';
import type { ChatTexts, FrameTexts } from './texts.ts';

interface FrameContextValue {
  services: HostServices;
  t: Translate<FrameTexts>;
  drafts: Drafts;
  /** undefined until the deferred parts are loaded. */
  chat: ChatState | undefined;
  /** Sends a question. Returns false if it cannot be sent now. */
  ask(text: string, files?: readonly AttachedFile[]): boolean;
}

export const FrameContext = createContext<FrameContextValue | null>(null);

/** Services and texts that are available before the deferred parts are loaded. Only for components inside the chat screen. */
export function useFrame(): FrameContextValue {
  const value = useContext(FrameContext);
  if (!value) throw new Error('useFrame must be used within the chat screen');
  return value;
}

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

/** A translator for the texts of a part, in the current language. */
export function usePartTexts<M extends object>(texts: Texts<M>): Translate<M> {
  return useTranslate(useChat().services.i18n, texts);
}

/** Whether an answer is running in the shown conversation. */
export function useIsAnswering(): boolean {
  return useSelected(useChat().chat.consultation.state$, ({ runningKey }) => runningKey !== null);
}
