import { beforeEach, expect, test } from '@jest/globals';
import { createKeyValueStore } from '../storage/key-value-store.ts';
import { createTheme } from './create-theme.ts';

const system = (matches: boolean) => {
  const listeners: (() => void)[] = [];
  const prefersDark = {
    matches,
    addEventListener: (_: string, listener: () => void) => void listeners.push(listener),
  };
  const change = (next: boolean) => {
    prefersDark.matches = next;
    for (const listener of listeners) listener();
  };
  return { prefersDark: prefersDark as unknown as MediaQueryList, change };
};
const root = document.documentElement;
const open = (prefersDark: MediaQueryList) =>
  createTheme({ keyValues: createKeyValueStore(() => localStorage), root, prefersDark });

beforeEach(() => localStorage.clear());

test('follows the system until a theme is chosen', () => {
  const { prefersDark, change } = system(false);
  const theme = open(prefersDark);
  expect(root.dataset.theme).toBeUndefined();
  change(true);
  expect(theme.isDark$.value).toBe(true);
  theme.choose('light');
  expect(root.dataset.theme).toBe('light');
  expect(theme.isDark$.value).toBe(false);
});

test('stores the choice across a reload', () => {
  open(system(false).prefersDark).choose('dark');
  const theme = open(system(false).prefersDark);
  expect(theme.choice$.value).toBe('dark');
  expect(root.dataset.theme).toBe('dark');
});

test('follows the system again once toggling returns to the system’s theme', () => {
  const { prefersDark } = system(true);
  const theme = open(prefersDark);
  theme.toggle();
  expect(theme.choice$.value).toBe('light');
  theme.toggle();
  expect(theme.choice$.value).toBe('system');
  expect(root.dataset.theme).toBeUndefined();
});
