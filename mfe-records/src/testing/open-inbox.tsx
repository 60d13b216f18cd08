import type { InboxDetail } from 'api/contract/handover';
import InboxScreen from '../inbox/inbox.tsx';
import { createInboxServer } from './inbox-server.ts';
import { type OpenOptions, openScreen } from './open-screen.tsx';
import { sampleInbox } from './sample-handovers.ts';

interface Options extends OpenOptions {
  handovers?: InboxDetail[];
  isEditor?: boolean;
}

/** /inbox with a server in memory, and queries for tests. */
export function openInbox({ handovers = sampleInbox(), isEditor = true, ...options }: Options = {}) {
  const server = createInboxServer(handovers, { isEditor });
  const signedIn = { path: '/inbox', username: 'anna', token: 'token' };
  return { ...openScreen(InboxScreen, server.answer, { ...signedIn, ...options }), server };
}
