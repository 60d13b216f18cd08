import { type ReactNode, useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { Announcer } from './announcer.tsx';
import { useChat } from './chat-context.ts';
import { citationCard } from './citation-card-module.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { contactPicker } from './contact-picker-module.ts';
import type { Desk } from './desk.ts';
import { filesPart } from './files-part-module.ts';
import { markdown } from './markdown-module.ts';
import { noteCard } from './note-card-module.ts';
import { searchResults } from './search-results-module.ts';
import { threadMenu } from './thread-menu-module.ts';
import { useCompletePrint } from './use-complete-print.ts';

/** Connects the desk for as long as it is mounted, and says what there is to say about its connection and its answers. */
export function DeskLife(): ReactNode {
  const { desk } = useChat();
  useEffect(() => desk.connect(), [desk]);
  useAddress(desk);
  useCompletePrint(desk.consultation);
  useEffect(() => {
    // Fetched ahead, so that they are there when the first answer is.
    for (const part of [
      markdown,
      filesPart,
      citationCard,
      threadMenu,
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
function useAddress(desk: Desk): void {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { key } = useLocation();
  const id = params.get('c') || null;
  const recordId = params.get('r') || null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link once more leads to the record once more
  useEffect(() => desk.consultation.open(id, recordId), [desk, id, recordId, key]);
  useEffect(() => {
    const naming = desk.named$.subscribe((named) =>
      navigate({ search: named ? `?c=${named}` : '' }, { replace: true }),
    );
    return () => naming.unsubscribe();
  }, [desk, navigate]);
}
