import { expect, test } from '@jest/globals';
import type { CompositionInfo, EnvironmentInfo, PointerInfo } from 'api/contract/compositions';
import { type Change, changesBetween, promotionOf, undoOf } from './change.ts';

const part = (name: string, version: string) => ({ name, version, release: `${name}@${version}` });
const composition = (id: string, ...remotes: [string, string][]) =>
  ({
    id,
    host: part('host', '1.0.0'),
    remotes: remotes.map(([name, version]) => part(name, version)),
  }) as unknown as CompositionInfo;
const live = composition('live', ['chat', '1.0.0'], ['auth', '1.0.0']);
const next = composition('next', ['chat', '2.0.0'], ['auth', '1.0.0']);
const canary = { id: 'k', share: 25, halted: null, composition: next };
const pointer = (of: CompositionInfo, ...canaries: object[]) =>
  ({ composition: of, canaries }) as unknown as PointerInfo;

test('differences name what is added, changed and left out', () => {
  const other = composition('other', ['chat', '2.0.0'], ['records', '1.0.0']);
  expect(changesBetween(live, other)).toEqual([
    { name: 'chat', from: '1.0.0', to: '2.0.0' },
    { name: 'auth', from: '1.0.0', to: null },
    { name: 'records', from: null, to: '1.0.0' },
  ]);
});

test('a promotion takes the releases that differ, and removes remotes that the other environment lacks', () => {
  const from = (one: CompositionInfo | null) =>
    ({ name: 'staging', revision: 7, composition: one }) as unknown as EnvironmentInfo;
  expect(promotionOf(from(composition('s', ['chat', '2.0.0'])), live)).toEqual({
    kind: 'promotion',
    choice: { releases: ['chat@2.0.0'], without: ['auth'] },
    promotedFrom: { environment: 'staging', composition: 's', revision: 7 },
  });
  expect(promotionOf(from(live), live)).toBeUndefined();
  expect(promotionOf(from(null), live)).toBeUndefined();
});

test.each<[string, Change, PointerInfo, PointerInfo, Change | undefined]>([
  [
    'another composition is rolled back',
    { kind: 'rollback', to: 'next' },
    pointer(live),
    pointer(next),
    { kind: 'rollback', to: 'live', undoes: true },
  ],
  [
    'a canary is ended',
    { kind: 'canary', choice: { releases: [] }, share: 5 } as unknown as Change,
    pointer(live),
    pointer(live, canary),
    { kind: 'abort', canary: 'k', undoes: true },
  ],
  [
    'a share becomes the former one',
    { kind: 'share', share: 50, canary: 'k' },
    pointer(live, canary),
    pointer(live, { ...canary, share: 50 }),
    { kind: 'share', share: 25, canary: 'k', undoes: true },
  ],
  [
    'a halted canary does not run again',
    { kind: 'share', share: 50, canary: 'k' },
    pointer(live, { ...canary, halted: { at: '', reason: '' } }),
    pointer(live, canary),
    undefined,
  ],
  [
    'a pause has a button',
    { kind: 'pause', canary: 'k' },
    pointer(live, canary),
    pointer(live, canary),
    undefined,
  ],
  [
    'an undo is not undone',
    { kind: 'rollback', to: 'next', undoes: true },
    pointer(live),
    pointer(next),
    undefined,
  ],
])('undo: %s', (_, change, before, after, undo) => {
  expect(undoOf(change, before, after)).toEqual(undo);
});
