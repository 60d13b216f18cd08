import { screen } from '@testing-library/react';
import type { DeskRecord } from 'api/contract/records';
import HistoryScreen from '../history/history.tsx';
import { type OpenOptions, openScreen } from './open-screen.tsx';
import { createRecordServer, type RecordServer } from './record-server.ts';

/** /history with a server in memory, and queries for tests. */
export function openHistory(records: DeskRecord[] | RecordServer, options: OpenOptions = {}) {
  const server = Array.isArray(records) ? createRecordServer(records) : records;
  const opened = openScreen(HistoryScreen, (call) => server.answer(call), { path: '/history', ...options });
  const callsTo = (url: string) => opened.calls.filter((call) => call.url === url);
  return { ...opened, server, callsTo, searches: () => callsTo('/api/search') };
}

export const list = () => screen.getByRole('region', { name: '记录列表' });
export const detail = () => screen.getByRole('article', { name: '记录详情' });
