import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Screen } from 'host/contract';
import { type Answer, createStandInServices } from 'host/stand-ins';
import { useStream } from 'host/ui/use-stream.ts';
import { MemoryRouter, useLocation } from 'react-router';

type StandInOptions = NonNullable<Parameters<typeof createStandInServices>[0]>;

export interface OpenOptions extends Pick<StandInOptions, 'kept' | 'language' | 'token' | 'username'> {
  path?: string;
  /** Called before the server: its result or error is the answer, undefined passes the call on. */
  first?: Answer;
}

/** A screen with a server in memory, and queries for tests. */
export function openScreen(Shown: Screen, answer: Answer, { path = '/', first, ...options }: OpenOptions) {
  const standIns = createStandInServices({ ...options, answers: (call) => first?.(call) ?? answer(call) });
  const { services, calls } = standIns;
  const InLanguage = () => (
    <Shown services={services} language={useStream(services.i18n.language$)} controls={null} />
  );
  const shown = render(
    <MemoryRouter initialEntries={[path]}>
      <InLanguage />
      <Address />
    </MemoryRouter>,
  );
  return {
    ...standIns,
    ...shown,
    callsTo: (method: string, url: string) =>
      calls.filter((call) => call.method === method && call.url === url),
    user: userEvent.setup(),
    address: () => screen.getByTestId('address').textContent,
  };
}

function Address() {
  const { pathname, search, hash } = useLocation();
  return <output data-testid="address">{pathname + search + hash}</output>;
}
