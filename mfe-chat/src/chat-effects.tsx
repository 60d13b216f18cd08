import { type ReactNode, useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import type { ChatState } from './chat-state.ts';
import { contactPicker } from './contacts/contact-picker-module.ts';
import { filesPart } from './files/files-part-module.ts';
import { Announcer } from './messages/announcer.tsx';
import { ConnectionNotice } from './messages/connection-notice.tsx';
import { markdown } from './messages/markdown-module.ts';
import { noteCard } from './messages/note-card-module.ts';
import { useCompletePrint } from './messages/use-complete-print.ts';
import { useChat } from './shared/chat-context.ts';
import { conversationMenu } from './sidebar/conversation-menu-module.ts';
import { searchResults } from './sidebar/search-results-module.ts';
import { citationCard } from './sources/citation-card-module.ts';

/** Connects the desk for as long as it is mounted, and says what there is to say about its connection and its answers. */
export function ChatEffects(): ReactNode {
  const { chat } = useChat();
  useEffect(() => chat.connect(), [chat]);
  useAddress(chat);
  useCompletePrint(chat.consultation);
  useEffect(() => {
    // Fetched ahead, so that they are there when the first answer is.
    for (const part of [
      markdown,
      filesPart,
      citationCard,
      conversationMenu,
      contactPicker,
      searchResults,
      noteCard,
    ])
      part.load().catch(() => undefined);
  }, []);
  const files = filesPart.useModule();
  return (
    <>
      {files && <files.FileDrop />}
      <ConnectionNotice />
      <Announcer />
    </>
  );
}

/**
 * The address says which conversation is shown, `?c=`, and for the sake of which of its records, `&r=`; a new one writes its id there
 * once it has got it.
 */
function useAddress(chat: ChatState): void {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { key } = useLocation();
  const id = params.get('c') || null;
  const recordId = params.get('r') || null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link once more leads to the record once more
  useEffect(() => chat.consultation.open(id, recordId), [chat, id, recordId, key]);
  useEffect(() => {
    const naming = chat.named$.subscribe((named) =>
      navigate({ search: named ? `?c=${named}` : '' }, { replace: true }),
    );
    return () => naming.unsubscribe();
  }, [chat, navigate]);
}
