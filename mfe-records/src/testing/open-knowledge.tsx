import KnowledgeScreen from '../knowledge/knowledge.tsx';
import { createKnowledgeServer } from './knowledge-server.ts';
import { type OpenOptions, openScreen } from './open-screen.tsx';
import { type Knowledge, sampleKnowledge } from './sample-knowledge.ts';

interface Options extends OpenOptions {
  knowledge?: Knowledge;
}

/** /knowledge with a server in memory, and queries for tests. */
export function openKnowledge({ knowledge = sampleKnowledge(), ...options }: Options = {}) {
  const server = createKnowledgeServer(knowledge);
  const signedIn = { path: '/knowledge', username: 'anna', token: 'token' };
  return { ...openScreen(KnowledgeScreen, server.answer, { ...signedIn, ...options }), server };
}

/** jsdom matches no media query: simulates a phone. Returns a function that undoes it. */
export function onAPhone(): () => void {
  const before = window.matchMedia;
  window.matchMedia = ((query: string) => ({
    matches: /max-width/.test(query),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })) as never;
  return () => {
    window.matchMedia = before;
  };
}
