import { expect, test } from '@jest/globals';
import { sendReport } from './send-report.ts';

const report = { page: '0123456789abcdef', composition: 'c1', events: [] };

test('passes a report to the browser as JSON', async () => {
  const sent: [string, Blob][] = [];
  const sendBeacon = (address: string, body: Blob) => Boolean(sent.push([address, body]));
  expect(sendReport({ navigator: { sendBeacon } as never }, report)).toBe(true);
  expect(sent).toEqual([['/ops/reports', expect.any(Blob)]]);
  expect(sent[0]?.[1].type).toBe('application/json');
});

test('returns false if the browser refuses or does not support beacons', () => {
  expect(sendReport({ navigator: { sendBeacon: () => false } as never }, report)).toBe(false);
  expect(sendReport({ navigator: {} as never }, report)).toBe(false);
});
