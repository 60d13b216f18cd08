import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { InboxDetail } from 'api/contract/handover';
import type { ScreenProps } from 'host/contract';
import { type Answer, createStandInServices } from 'host/stand-ins';
import { useStream } from 'host/ui/use-stream.ts';
import { MemoryRouter, useLocation } from 'react-router';
import InboxScreen from '../inbox/inbox.tsx';
import { createInboxServer } from './inbox-server.ts';
import { sampleInbox } from './sample-handovers.ts';

interface Options {
  path?: string;
  language?: 'zh' | 'en';
  handovers?: InboxDetail[];
  isEditor?: boolean;
  /** Called before the server: its result or error is the answer, undefined passes the call on. */
  first?: Answer;
  /** Content of the browser's storage. */
  kept?: Map<string, string>;
}

/** /inbox with a server in memory, and queries for tests. */
export function openInbox(options: Options = {}) {
  const {
    path = '/inbox',
    language = 'zh',
    handovers = sampleInbox(),
    isEditor = true,
    first,
    kept,
  } = options;
  const server = createInboxServer(handovers, { isEditor });
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
  return <InboxScreen services={services} language={language} controls={null} />;
}

function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}
