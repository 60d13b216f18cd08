import { expect, test } from '@jest/globals';
import { createQuestionEdit } from './question-edit.ts';

function createStorage() {
  const kept = new Map<string, string>();
  return {
    get: <T>(key: string) => JSON.parse(kept.get(key) ?? 'null') as T | undefined,
    set: (key: string, value: unknown) => void kept.set(key, JSON.stringify(value)),
    remove: (key: string) => void kept.delete(key),
    kept,
  };
}

test('returning to a question whose edit was interrupted continues with its text', () => {
  const edit = createQuestionEdit(createStorage());
  edit.begin({ recordId: 'r1', text: 'one' });
  edit.change('one, edited');
  edit.begin({ recordId: 'r2', text: 'two' });
  edit.end();
  expect(edit.edited$.value).toBeNull();
  edit.begin({ recordId: 'r1', text: 'one' });
  expect(edit.edited$.value).toEqual({ recordId: 'r1', text: 'one, edited' });
});

test('texts survive a reload; nothing is stored after all edits were asked or cancelled', () => {
  const storage = createStorage();
  const before = createQuestionEdit(storage);
  before.begin({ recordId: 'r1', text: 'one' });
  before.begin({ recordId: 'r2', text: 'two' });
  const after = createQuestionEdit(storage);
  expect(after.edited$.value).toEqual({ recordId: 'r2', text: 'two' });
  after.end();
  after.begin({ recordId: 'r1', text: 'one' });
  after.end();
  expect(storage.kept.size).toBe(0);
});
