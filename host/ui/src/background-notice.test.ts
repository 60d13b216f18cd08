import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { noticeInBackground } from './background-notice.ts';

const shown: { title: string; body: string | undefined; tag: string | undefined }[] = [];
const badges: (number | undefined)[] = [];

function show(isShown: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: !isShown });
  document.dispatchEvent(new Event('visibilitychange'));
}

function allow(permission: NotificationPermission): void {
  Object.defineProperty(window, 'isSecureContext', { configurable: true, value: true });
  Object.assign(window, {
    Notification: Object.assign(
      class {
        onclick: (() => void) | null = null;
        constructor(title: string, { body, tag }: NotificationOptions = {}) {
          shown.push({ title, body, tag });
        }
      },
      { permission },
    ),
  });
}

beforeEach(() => {
  shown.length = 0;
  badges.length = 0;
  document.title = 'Chat';
  Object.assign(navigator, {
    setAppBadge: async (count?: number) => {
      badges.push(count);
      throw new Error('not installed');
    },
  });
});
afterEach(() => show(true));

const reply = { title: 'Lin replied', body: 'On Friday.', tag: 'h1' };

test('marks the title and the icon of a hidden page until it is visible again', () => {
  allow('default');
  show(false);
  noticeInBackground(reply);
  noticeInBackground(reply);
  expect(document.title).toBe('(2) Chat');

  show(true);
  expect(document.title).toBe('Chat');
  expect(badges).toEqual([1, 2, 0]);
  expect(shown).toEqual([]);

  // A title that the page has set itself.
  document.title = '(3) Chat';
  show(true);
  expect(document.title).toBe('(3) Chat');
});

test('shows a notification if the visitor has allowed it', () => {
  allow('granted');
  show(false);
  noticeInBackground(reply);
  expect(shown).toEqual([reply]);
});

test('does not mark a visible page', () => {
  allow('granted');
  noticeInBackground(reply);
  expect([document.title, shown, badges]).toEqual(['Chat', [], []]);
});
