import { expect, test } from '@jest/globals';
import type { DeskRecord } from 'api/contract/records';
import { record } from '../testing/samples.ts';
import { createChatStore } from './chat-store.ts';
import { createQuestionVersions } from './question-versions.ts';

const at = (minute: number) => `2026-11-21T01:${String(minute).padStart(2, '0')}:00.000Z`;
const ofFirst = (number: number) => ({ recordId: 'r1', createdAt: at(1), number });
const FIRST = record('r1', { question: 'one', answer: 'answer 1', createdAt: at(1) });
const OTHER = record('r2', { question: 'other', createdAt: at(2) });
const SECOND = record('r3', {
  question: 'two',
  answer: 'answer 2',
  createdAt: at(3),
  versionOf: ofFirst(2),
});
const THIRD = record('r4', {
  question: 'three',
  answer: 'answer 3',
  createdAt: at(4),
  versionOf: ofFirst(3),
});

/** A list that has read these pages; pages and records are newest first. */
function open(...pages: DeskRecord[][]) {
  const store = createChatStore();
  const versions = createQuestionVersions(store);
  const read = (page: DeskRecord[], isLast: boolean) => store.prepend(versions.add(page, isLast));
  for (const [index, page] of pages.entries()) read(page, index === pages.length - 1);
  const texts = () => store.chatList.map(({ text }) => text);
  const position = () => store.message('q:r1')?.versions;
  return { store, versions, read, texts, position };
}

test.each([
  ['together', [[THIRD, SECOND, OTHER, FIRST]]],
  ['page by page', [[THIRD], [SECOND, OTHER], [FIRST]]],
  ['the first alone', [[THIRD, SECOND, OTHER], [FIRST]]],
])('shows the newest version at the place of the first, read %s', (_, pages) => {
  const { texts, position } = open(...pages);
  expect(texts()).toEqual(['three', 'answer 3', 'other', 'answer r2']);
  expect(position()).toEqual({ at: 3, of: 3 });
});

test('a version waits until the place of its question has been read', () => {
  const { read, texts, versions } = open();
  read([THIRD], false);
  expect(texts()).toEqual([]);
  versions.reveal('r4');
  expect(texts()).toEqual([]);
  read([SECOND, OTHER], false);
  expect(texts()).toEqual(['other', 'answer r2']);
  read([FIRST], false);
  expect(texts()).toEqual(['three', 'answer 3', 'other', 'answer r2']);
});

test('the shown version and its changes stay when another version takes its number', () => {
  const { store, versions, texts, position, read } = open([THIRD, FIRST]);
  const feedback = { rating: 1, note: '' } as const;
  store.patch('a:r1', { feedback });
  read([SECOND], true);
  expect([texts()[0], position()]).toEqual(['three', { at: 3, of: 3 }]);
  expect(store.message('a:r1')?.feedback).toEqual(feedback);
  versions.show('q:r1', 2);
  expect([texts()[0], position()]).toEqual(['two', { at: 2, of: 3 }]);
  expect(store.message('a:r1')?.feedback).toBeNull();
});

test('the shown version stays when an older or a newer one is read', () => {
  const { versions, texts, position, read } = open([THIRD, FIRST]);
  versions.show('q:r1', 1);
  read([SECOND], true);
  expect([texts()[0], position()]).toEqual(['one', { at: 1, of: 3 }]);

  versions.show('q:r1', 3);
  const zeroth = record('r0', { question: 'zero', createdAt: at(0), versionOf: ofFirst(1) });
  read([zeroth], true);
  expect([texts()[0], position()]).toEqual(['three', { at: 4, of: 4 }]);
});

test('a record that is loaded again does not count as another version', () => {
  const { read, position } = open([SECOND, FIRST]);
  read([SECOND, FIRST], true);
  expect(position()).toEqual({ at: 2, of: 2 });
});

test('changes of a version are still there when it is shown again', () => {
  const { store, versions, texts } = open([SECOND, FIRST]);
  const feedback = { rating: 1, note: '' } as const;
  store.patch('a:r1', { feedback });

  versions.show('q:r1', 1);
  expect(texts()).toEqual(['one', 'answer 1']);
  expect(store.message('a:r1')?.feedback).toBeNull();
  versions.show('q:r1', 2);
  expect(store.message('a:r1')).toMatchObject({ text: 'answer 2', feedback });
});

test('shows a version by its record, and ignores positions and records that do not exist', () => {
  const { versions, texts, position } = open([THIRD, SECOND, FIRST]);
  versions.reveal('r3');
  expect([texts()[0], position()]).toEqual(['two', { at: 2, of: 3 }]);
  versions.reveal('r9');
  versions.show('q:r1', 0);
  versions.show('q:r1', 4);
  expect([texts()[0], position()]).toEqual(['two', { at: 2, of: 3 }]);
});

test('a new version is the last one and shown, with the files and the contact of the version shown before', () => {
  const { store, versions, texts, position } = open([SECOND, FIRST]);
  const contact = { id: '13800138000', name: '' };
  const files = [{ name: 'a.txt', isImage: false, url: '/a', pages: 1, attached: null }];
  versions.show('q:r1', 1);
  store.patch('q:r1', { contact, files });

  const keys = versions.begin('a:r1', 'new', 'k');
  expect(keys).toEqual({ key: 'a:r1', questionKey: 'q:r1' });
  expect(texts()).toEqual(['new', '']);
  expect(position()).toEqual({ at: 3, of: 3 });
  expect(store.message('q:r1')).toMatchObject({ contact, files, state: 'sending', clientId: 'k' });
  versions.show('q:r1', 2);
  expect(texts()).toEqual(['two', 'answer 2']);
});

test('a rejected new version is removed, and the previous one is shown', () => {
  const { versions, texts, position } = open([OTHER, FIRST]);
  versions.begin('a:r1', 'new', 'k');
  versions.drop('another');
  expect(texts()[0]).toBe('new');

  versions.drop('k');
  expect(texts()).toEqual(['one', 'answer 1', 'other', 'answer r2']);
  expect(position()).toBeNull();
});

test('forgets the versions of a conversation that was left', () => {
  const { store, versions, read, texts, position } = open([SECOND, FIRST]);
  versions.clear();
  store.reset([]);
  read([THIRD, OTHER], true);
  expect(texts()).toEqual(['three', 'answer 3', 'other', 'answer r2']);
  expect(position()).toBeNull();
});
