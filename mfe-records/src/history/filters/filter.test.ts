import { expect, test } from '@jest/globals';
import { EVERYTHING, type Filter, readFilter, timeZone, toRecordFilter, writeFilter } from './filter.ts';

const ALL: Filter = {
  text: ' refund ',
  contact: 'lin@example.com',
  from: '2026-07-01',
  to: '2026-07-31',
  source: 'none',
  outcome: 'nothing',
  feedback: 'down',
};

test('the API gets every filter that is set, with days in the time zone of the browser', () => {
  const tz = timeZone();
  expect(toRecordFilter(ALL)).toEqual({ ...ALL, text: 'refund', tz });
  expect(toRecordFilter({ ...EVERYTHING, contact: '' })).toEqual({ contact: '', tz });
  expect(toRecordFilter(EVERYTHING)).toEqual({ tz });
});

test('the address has every filter, and keeps other parameters', () => {
  const address = writeFilter(new URLSearchParams('r=7'), ALL);
  expect(address.get('r')).toBe('7');
  expect(readFilter(address)).toEqual(ALL);
  expect(readFilter(writeFilter(address, EVERYTHING))).toEqual(EVERYTHING);
});
