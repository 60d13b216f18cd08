import { expect, test } from '@jest/globals';
import { sinceText } from './handover-status.tsx';

const now = Date.parse('2026-11-21T12:00:00.000Z');
const waiting = (minutes: number) => {
  const waitingSince = new Date(now - minutes * 60_000).toISOString();
  const t = (key: string, { count }: { count?: number } = {}) => [key, count].filter(Boolean).join(' ');
  const entry = { state: 'waiting', waitingSince, updatedAt: waitingSince } as const;
  return sinceText(entry, now, {} as never, t as never);
};

test.each([
  [0.9, 'waiting.now'],
  [1, 'waiting.minutes 1'],
  [59.9, 'waiting.minutes 59'],
  [60, 'waiting.hours 1'],
  [24 * 60 - 1, 'waiting.hours 23'],
  [24 * 60, 'waiting.days 1'],
])('a visitor who has been waiting for %d minutes: %s', (minutes, text) => {
  expect(waiting(minutes)).toBe(text);
});
