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
const open = (prefersDark: MediaQueryList, cookies?: { cookie: string }) =>
  createTheme({
    keyValues: createKeyValueStore(() => localStorage),
    root,
    prefersDark,
    ...(cookies && { cookies }),
  });

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

test('the server learns the choice from a cookie, which every page renews, and the system’s theme removes', () => {
  const page = { cookie: '' };
  open(system(false).prefersDark, page).choose('dark');
  expect(page.cookie).toMatch(/^desk-theme=dark; .*Max-Age=31536000/);
  page.cookie = '';
  const theme = open(system(false).prefersDark, page);
  expect(page.cookie).toMatch(/^desk-theme=dark; /);
  theme.choose('system');
  expect(page.cookie).toMatch(/Max-Age=0/);
  page.cookie = '';
  open(system(false).prefersDark, page);
  expect(page.cookie).toBe('');
});
