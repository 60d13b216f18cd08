import { expect, test } from '@jest/globals';
import type { ChosenRelease, CompositionInfo } from '../../../contract/compositions.ts';
import { createSay } from '../../../i18n/texts-of.ts';
import { changesBetween } from '../../../releases/data/changes-between.ts';
import { bytes, bytesMore } from '../../format-bytes.ts';
import { nearest } from '../commands/explain.ts';
import { formatCanary } from '../commands/show.ts';
import { alignColumns, indent, widthOf } from '../commands/table.ts';
import { ago, clock, formatChanges, plainText, shortId } from './format.ts';

const say = createSay('cli-compose', 'en');
const now = new Date('2026-11-21T14:00:00.000Z');

const part = (release: string): ChosenRelease => {
  const [name = '', version = ''] = release.split('@');
  return { name, release, version, base: `/r/${name}/${version}/`, digest: '', previous: null };
};
const composition = (...releases: string[]): CompositionInfo => {
  const [host, ...remotes] = releases.map(part);
  const facts = { parent: null, author: 'anna', reason: '', createdAt: now.toISOString() };
  return { id: 'a1b2c3d4e5', host: host!, remotes, ...facts };
};

test.each([
  ['2026-11-21T13:59:57.000Z', '3 s ago'],
  ['2026-11-21T13:00:01.000Z', '59 min ago'],
  ['2026-11-20T15:00:00.000Z', '23 h ago'],
  ['2026-11-01T14:00:00.000Z', '20 d ago'],
  ['2026-03-01T14:00:00.000Z', '2026-03-01'],
  ['2026-11-21T14:00:09.000Z', '0 s ago'],
])('%s is %s', (at, expected) => {
  expect(ago(at, now, say)).toBe(expected);
});

test('formats times in Chinese', () => {
  expect(ago('2026-11-21T13:57:00.000Z', now, createSay('cli-compose', 'zh'))).toBe('3 分钟前');
});

test('a time includes the date unless it is today', () => {
  expect(clock(now.toISOString(), now)).toMatch(/^\d\d:\d\d$/);
  expect(clock('2026-10-01T12:00:00.000Z', now)).toMatch(/^2026-10-0\d \d\d:\d\d$/);
});

test('bytes have a unit, and a sign for increases', () => {
  expect([0, 999, 1000, 34_520, 999_960, 1_240_000].map(bytes)).toEqual([
    '0 B',
    '999 B',
    '1.0 KB',
    '34.5 KB',
    '1.0 MB',
    '1.2 MB',
  ]);
  expect([12, -12, 0, -2400].map(bytesMore)).toEqual(['+12 B', '-12 B', '0 B', '-2.4 KB']);
});

test('describes changed, added and removed parts between two compositions', () => {
  const changes = changesBetween(
    composition('host@1.0.0', 'mfe-auth@1.0.0', 'mfe-old@0.1.0'),
    composition('host@1.0.0', 'mfe-auth@2.0.0', 'mfe-new@0.2.0'),
  );
  expect(formatChanges(changes, say)).toBe(
    'mfe-auth 1.0.0 → 2.0.0, mfe-new 0.2.0 (new), mfe-old 0.1.0 (removed)',
  );
  expect(formatChanges([], say)).toBe('same releases');
  expect(shortId('a1b2c3d4e5')).toBe('a1b2c3d4');
});

test('external text cannot send control sequences to the terminal or add lines to a table', () => {
  expect(plainText('a\u001b[2Jb\u202ec\nd\r')).toBe('a\ufffd[2Jb\ufffdc\nd\ufffd');
  expect(alignColumns([['one\n  two', 'x']])).toBe('one two  x');
});

test('columns are aligned for any script', () => {
  expect(widthOf('线上 a')).toBe(6);
  const table = alignColumns(
    [
      ['线上', '1', 'x'],
      ['a', '100', ''],
    ],
    [1],
  );
  expect(table.split('\n')).toEqual(['线上    1  x', 'a     100']);
  expect(indent('a\n\nb')).toBe('  a\n\n  b');
});

test.each([
  ['mfe-chta', ['mfe-chat']],
  ['chat', ['mfe-chat']],
  ['records', ['mfe-records']],
  ['zebra', []],
])('suggestions for %s: %j', (given, expected) => {
  const found = nearest(given, ['host', 'mfe-chat', 'mfe-records']);
  expect(found.slice(0, 1)).toEqual(expected);
});

test.each([
  ['en', 'It was stopped automatically 1 min ago: it failed'],
  ['zh', '已自动停止（1 分钟前）：it failed'],
] as const)('of a canary that has stopped it says what can be done, in %s', (language, expected) => {
  const canary = {
    composition: composition('host@1.0.0', 'mfe-chat@1.1.0'),
    share: 10,
    author: 'anna',
    reason: '',
    startedAt: '2026-11-21T13:50:00.000Z',
    halted: { at: '2026-11-21T13:59:00.000Z', reason: 'it failed' },
    id: 'c'.repeat(64),
    paused: null,
    plan: null,
  };
  const live = composition('host@1.0.0', 'mfe-chat@1.0.0');
  const pointer = {
    environment: 'production',
    revision: 2,
    composition: live,
    previous: null,
    movedAt: canary.startedAt,
    canary,
    canaries: [canary],
    freeze: null,
    pins: [],
    watch: null,
  };
  const text = formatCanary(canary, pointer, { say: createSay('cli-compose', language), now });
  expect(text).toContain(expected);
  expect(text).toMatch(/canary abort.*canary share 10/);
  // It would be refused.
  expect(text).not.toContain('promote');
});
