import { type ReactNode, useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { Announcer } from './announcer.tsx';
import { useChat } from './chat-context.ts';
import { citationCard } from './citation-card-module.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import type { Desk } from './desk.ts';
import { markdown } from './markdown-module.ts';
import { threadMenu } from './thread-menu-module.ts';
import { useEscapeToStop } from './use-escape-to-stop.ts';

/** Connects the desk for as long as it is mounted, and says what there is to say about its connection and its answers. */
export function DeskLife(): ReactNode {
  const { desk } = useChat();
  useEffect(() => desk.connect(), [desk]);
  useAddress(desk);
  useEscapeToStop(desk.consultation);
  useEffect(() => {
    // Fetched ahead, so that they are there when the first answer is.
    for (const part of [markdown, citationCard, threadMenu]) part.load().catch(() => undefined);
  }, []);
  return (
    <>
      <ConnectionNotice />
      <Announcer />
    </>
  );
}

/** The address says which conversation is shown; a new one writes its id there once it has got it. */
function useAddress(desk: Desk): void {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const id = params.get('c') || null;

  useEffect(() => desk.consultation.open(id), [desk, id]);
  useEffect(() => {
    const naming = desk.named$.subscribe((named) =>
      navigate({ search: named ? `?c=${named}` : '' }, { replace: true }),
    );
    return () => naming.unsubscribe();
  }, [desk, navigate]);
}
