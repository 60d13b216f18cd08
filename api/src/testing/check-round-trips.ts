import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { DeskRecord } from '../contract/records.ts';
import { archiveOf, archiveRecord, exportJson, idOf, importArchive, withoutDate } from './archives.ts';
import { createVisitor } from './visitor.ts';

/**
 * Imports `numRuns` random archives into the server at `here`, and its exports into the server at
 * `elsewhere`, and compares.
 */
export async function checkRoundTrips(here: string, elsewhere: string, numRuns: number): Promise<void> {
  const archives = fc.tuple(...Array.from({ length: 6 }, (_, n) => record(n)));
  await fc.assert(
    fc.asyncProperty(archives, async (records) => {
      const visitor = createVisitor(here);
      const taken = await importArchive(visitor, archiveOf(records));
      expect(taken.status).toBe(200);
      const first = await exportJson(visitor);
      const byText = new Map(first.records.map((one) => [one.question, one]));
      for (const given of records) {
        const kept = byText.get(given.question.toWellFormed().trim());
        expect(kept?.answer).toBe(given.answer.toWellFormed());
        expect(kept?.createdAt).toBe(given.createdAt);
        expect(kept?.feedback?.note).toBe(given.feedback?.note.toWellFormed());
      }

      const other = createVisitor(elsewhere);
      await importArchive(other, first);
      const second = await exportJson(other);
      const again = createVisitor(elsewhere);
      await importArchive(again, second);
      const third = await exportJson(again);
      const plain = (some: DeskRecord[]) => some.map(({ id: _id, conversationId: _c, ...rest }) => rest);
      // The second server assigns other ids, which may change the order of records with the same timestamp.
      const sorted = (some: DeskRecord[]) => plain(some).sort((a, b) => (a.question < b.question ? -1 : 1));
      expect(sorted(second.records)).toEqual(sorted(first.records));
      expect(sorted(third.records)).toEqual(sorted(first.records));
      expect((await importArchive(again, third)).body).toEqual({ imported: 0, unchanged: 6, renamed: 0 });
      expect(withoutDate(await exportJson(again))).toEqual(withoutDate(third));
    }),
    { numRuns },
  );
}

const hard = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    '𠮷野家\t퇴근 \u{200f}שלום\u{200e} 👩‍👩‍👧‍👦',
    '\ud83d alone \udc00',
    '"\\\\u0000\0\u2028\u2029</script>',
    '```js\nconst a = "`{b}`";\n```\r\n| a | b |\n|---|---|',
    '{"records":[{"id":"x"}]}',
    '__proto__',
    '\u{feff}＝1+1',
    'é e\u0301 ﬁ Ａ',
  ),
);

const record = (n: number): fc.Arbitrary<DeskRecord> =>
  fc
    .record({
      question: hard.map((text) => `${n} ${text}`),
      answer: fc.array(hard, { maxLength: 5 }).map((some) => some.join('\n')),
      contact: fc.option(
        fc.record({ id: hard.map((text) => text.slice(0, 30)), name: hard.map((text) => text.slice(0, 30)) }),
      ),
      status: fc.constantFrom('done' as const, 'stopped' as const, 'failed' as const),
      source: fc.constantFrom('curated' as const, 'document' as const, 'model' as const, 'none' as const),
      feedback: fc.option(fc.record({ rating: fc.constantFrom(1 as const, -1 as const), note: hard })),
      suggestions: fc.array(hard, { maxLength: 3 }),
      citations: fc.array(
        fc.record({
          title: hard,
          quote: hard,
          start: fc.nat(),
          end: fc.nat(),
          href: fc.constant('/api/passages/p-1_x'),
        }),
        { maxLength: 3 },
      ),
      createdAt: fc
        .date({ min: new Date(0), max: new Date('2026-01-01'), noInvalidDate: true })
        .map((at) => at.toISOString()),
      conversationId: fc.nat({ max: 3 }).map((which) => idOf(which, 'c')),
      answeredAt: fc.option(fc.constant('2026-01-02T00:00:00.001Z')),
    })
    .chain((fields) =>
      fc
        .boolean()
        .map((isByPerson) =>
          archiveRecord(n, { ...fields, ...(isByPerson ? { answeredByPerson: true } : {}) }),
        ),
    );
