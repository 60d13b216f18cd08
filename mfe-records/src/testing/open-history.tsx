import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { DeskRecord } from 'api/contract/records';
import type { ScreenProps } from 'host/contract';
import { type Answer, createStandInServices } from 'host/stand-ins';
import { useStream } from 'host/ui/use-stream.ts';
import { MemoryRouter, useLocation } from 'react-router';
import HistoryScreen from '../history/history.tsx';
import { createRecordServer, type RecordServer } from './record-server.ts';

interface Options {
  path?: string;
  language?: 'zh' | 'en';
  /** Called before the server: its result or error is the answer, undefined passes the call on. */
  first?: Answer;
}

/** /history with a server in memory, and queries for tests. */
export function openHistory(
  records: DeskRecord[] | RecordServer,
  { path = '/history', language = 'zh', first }: Options = {},
) {
  const server = Array.isArray(records) ? createRecordServer(records) : records;
  const answers: Answer = (call) => first?.(call) ?? server.answer(call);
  const standIns = createStandInServices({ answers, language });
  render(
    <MemoryRouter initialEntries={[path]}>
      <Screen services={standIns.services} />
      <Address />
    </MemoryRouter>,
  );
  const callsTo = (url: string) => standIns.calls.filter((call) => call.url === url);
  return {
    ...standIns,
    server,
    callsTo,
    searches: () => callsTo('/api/search'),
    user: userEvent.setup(),
    address: () => screen.getByTestId('address').textContent,
  };
}

function Screen({ services }: Pick<ScreenProps, 'services'>) {
  const language = useStream(services.i18n.language$);
  return <HistoryScreen services={services} language={language} controls={null} />;
}

function Address() {
  const { pathname, search, hash } = useLocation();
  return <output data-testid="address">{pathname + search + hash}</output>;
}

export const list = () => screen.getByRole('region', { name: '记录列表' });
export const detail = () => screen.getByRole('article', { name: '记录详情' });
