import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ScreenProps } from 'host/contract';
import { type Answer, createStandInServices } from 'host/stand-ins';
import { useStream } from 'host/ui/use-stream.ts';
import { MemoryRouter, useLocation } from 'react-router';
import KnowledgeScreen from '../knowledge/knowledge.tsx';
import { createKnowledgeServer } from './knowledge-server.ts';
import { type Knowledge, sampleKnowledge } from './sample-knowledge.ts';

interface Options {
  path?: string;
  language?: 'zh' | 'en';
  knowledge?: Knowledge;
  /** Called before the server: its result or error is the answer, undefined passes the call on. */
  first?: Answer;
  /** Content of the browser's storage. */
  kept?: Map<string, string>;
}

/** /knowledge with a server in memory, and queries for tests. */
export function openKnowledge(options: Options = {}) {
  const { path = '/knowledge', language = 'zh', knowledge = sampleKnowledge(), first, kept } = options;
  const server = createKnowledgeServer(knowledge);
  const answers: Answer = (call) => first?.(call) ?? server.answer(call);
  const standIns = createStandInServices({
    answers,
    language,
    username: 'anna',
    token: 'token',
    ...(kept && { kept }),
  });
  const shown = render(
    <MemoryRouter initialEntries={[path]}>
      <Screen services={standIns.services} />
      <Address />
    </MemoryRouter>,
  );
  return {
    ...standIns,
    ...shown,
    server,
    callsTo: (method: string, url: string) =>
      standIns.calls.filter((call) => call.method === method && call.url === url),
    user: userEvent.setup(),
    address: () => screen.getByTestId('address').textContent,
  };
}

function Screen({ services }: Pick<ScreenProps, 'services'>) {
  const language = useStream(services.i18n.language$);
  return <KnowledgeScreen services={services} language={language} controls={null} />;
}

function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
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
