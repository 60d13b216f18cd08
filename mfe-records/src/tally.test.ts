import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scaleFor } from './scale.ts';
import { tally } from './tally.ts';
import { sampleRecord, sampleRecords } from './testing/sample-records.ts';

test('the parts add up to the whole, whatever the records are', () => {
  const record = fc.record({
    status: fc.constantFrom('answering' as const, 'done' as const, 'stopped' as const, 'failed' as const),
    source: fc.constantFrom('curated' as const, 'document' as const, 'model' as const, 'none' as const),
    createdAt: fc
      .date({ min: new Date(2026, 0, 1), max: new Date(2026, 11, 31), noInvalidDate: true })
      .map((date) => date.toISOString()),
  });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 40 }), (parts) => {
      const counts = tally(parts.map((part, index) => sampleRecord({ ...part, id: `${index}` })));
      const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);

      expect(counts.answered + counts.unanswered).toBe(counts.total);
      expect(counts.total + counts.answering).toBe(parts.length);
      expect(sum(Object.values(counts.bySource))).toBe(counts.total);
      expect(sum(counts.byDay.map(({ count }) => count))).toBe(counts.total);
      expect(sum(counts.byDay.map(({ unanswered }) => unanswered))).toBe(counts.unanswered);
      expect(sum(counts.byContact.map(({ count }) => count))).toBe(counts.total);
      expect(counts.failed).toBeLessThanOrEqual(counts.unanswered);
    }),
  );
});

test('days follow each other without a gap', () => {
  const { byDay } = tally(sampleRecords(200, new Date(2026, 3, 10, 12)));
  const gaps = byDay
    .slice(1)
    .map((day, index) => Math.round((day.date.valueOf() - (byDay[index]?.date.valueOf() ?? 0)) / 3_600_000));

  expect(new Set(gaps.map((hours) => (hours >= 23 && hours <= 25 ? 24 : hours)))).toEqual(new Set([24]));
});

test('the median of an even number of times lies in the middle', () => {
  const taken = (id: string, ms: number) =>
    sampleRecord({ id, createdAt: new Date(0).toISOString(), answeredAt: new Date(ms).toISOString() });

  expect(tally([taken('a', 1000), taken('b', 3000)]).medianMs).toBe(2000);
  expect(tally([taken('a', 1000), taken('b', 9000), taken('c', 3000)]).medianMs).toBe(3000);
  expect(tally([]).medianMs).toBeNull();
});

test('the lines of the chart are few, round and reach over the highest bar', () => {
  expect(scaleFor(126)).toEqual([0, 50, 100, 150]);
  expect(scaleFor(0)).toEqual([0, 1]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (most) => {
      const lines = scaleFor(most);
      expect(lines.at(-1)).toBeGreaterThanOrEqual(most);
      expect(lines.length).toBeLessThanOrEqual(4);
    }),
  );
});
