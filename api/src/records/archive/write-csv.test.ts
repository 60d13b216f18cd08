import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { finishedRecord } from '../../testing/open-test-models.ts';
import { defused } from '../../text/csv-line.ts';
import { writeCsv } from './exporting.ts';

test.each([
  '=1+1',
  '+1',
  '-1',
  '@A1',
  '\t=1',
  '\r=1',
  '\ttext',
  '  =1',
  '\u3000＝1',
  '\u{feff}=1',
  '\u200b@x',
  '\0=1',
  '\n=1',
  '＝1',
  '＋1',
  '－1',
  '＠1',
])('%j is no longer a formula', (field) => {
  expect(defused(field)).toBe(`'${field}`);
});

test.each(['', ' ', 'text', '1=1', 'a@b.c', '王芳', '“=1”', "'=1", '13800138000', '2026-01-05 00:00:00'])(
  '%j stays unchanged',
  (field) => {
    expect(defused(field)).toBe(field);
  },
);

test('no field starts with a character that starts a formula', () => {
  const parts = fc.constantFrom('=', '+', '-', '@', '＝', '\t', '\r', '\n', ' ', '\u3000', 'a', '1', "'");
  fc.assert(
    fc.property(
      fc.array(parts).map((some) => some.join('')),
      (field) => {
        const written = defused(field);
        expect(written).not.toMatch(/^[\s\u{feff}]*[=+\-@＝＋－＠]/u);
        expect(written).not.toMatch(/^\s*[\t\r]/);
        expect([field, `'${field}`]).toContain(written);
      },
    ),
  );
});

test('a later answer is in the column next to the one that it replaces', async () => {
  const now = new Date('2026-01-05T00:00:00Z');
  const since = { pairId: 'p', answer: '=30 天', at: now.toISOString() };
  const record = finishedRecord({
    question: '能寄存吗？',
    answer: '没有找到。',
    source: 'none',
    answeredSince: since,
    createdAt: now,
    answeredAt: now,
  });
  async function* slices() {
    yield [record];
  }

  let table = '';
  for await (const part of writeCsv(slices(), 'UTC', 'en')) table += part;

  const [head = '', row = ''] = table.split('\r\n');
  expect(head).toContain('"Answered (UTC)","Answer now"');
  expect(row).toContain(`"2026-01-05 00:00:00","'=30 天"`);
});

test('citations without support are neither marked in the answer nor listed among its sources', async () => {
  const answer = '保修两年。[1] 免费上门。[2]';
  const end = answer.length;
  const source = { quote: '原文', start: 0, end: 2, href: '/api/passages/1' };
  const record = finishedRecord({
    question: '保修多久？',
    answer,
    source: 'model',
    citations: [
      { ...source, title: '保修卡' },
      { ...source, title: '停车须知' },
    ],
    doubts: [
      { kind: 'sentence', start: answer.indexOf('免费'), end: end - 3 },
      { kind: 'citation', start: end - 3, end },
    ],
  });
  let table = '';
  for await (const part of writeCsv(
    (async function* () {
      yield [record];
    })(),
    'UTC',
    'zh',
  ))
    table += part;
  expect(table).toContain('"保修两年。[1] 免费上门。（未见依据）"');
  expect(table).toContain('"[1] 保修卡: 原文"');
  expect(table).not.toContain('停车须知');
});
