import type { HostServices, Translate } from 'host/contract';
import { createContext, useContext } from 'react';
import type { AttachedFile } from './attachments.ts';
import type { ChatState } from './chat-state.ts';
import type { Drafts } from './drafts.ts';
import type { FrameTexts } from './texts.ts';

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
