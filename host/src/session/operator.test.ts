import { expect, test } from '@jest/globals';
import { BehaviorSubject } from 'rxjs';
import { createOperator } from './operator.ts';

test('a token that was entered is remembered for the account, and shown to no other', () => {
  const owner$ = new BehaviorSubject('user:lin');
  const stored = new Map<string, unknown>();
  const keyOf = (key: string) => `${owner$.value} ${key}`;
  const storage = {
    owner$,
    get: <T>(key: string) => stored.get(keyOf(key)) as T | undefined,
    set: (key: string, value: unknown) => void stored.set(keyOf(key), value),
  };
  const { isKnown$, note } = createOperator(storage as never);
  expect(isKnown$.value).toBe(false);
  note();
  expect(isKnown$.value).toBe(true);
  owner$.next('guest');
  expect(isKnown$.value).toBe(false);
  owner$.next('user:lin');
  expect(isKnown$.value).toBe(true);
  expect(createOperator(storage as never).isKnown$.value).toBe(true);
});
