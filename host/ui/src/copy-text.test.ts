import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { copyText } from './copy-text.ts';

const SAYS = { copied: 'Copied', failed: 'Not copied' };
/** What was selected at each copy, and whether the selected field was in the dialog. */
let copied: [text: string, isInDialog: boolean][];
let shown: string[];
const toasts = { show: ({ kind, text }: { kind: string; text: string }) => shown.push(`${kind} ${text}`) };

/** As in browsers without TLS: there is no Clipboard API, and only a selection in the page can be copied. */
function offer(copy: () => boolean): void {
  Object.assign(document, { execCommand: jest.fn(copy) });
}

beforeEach(() => {
  copied = [];
  shown = [];
  document.body.innerHTML = '<dialog open><button>Copy link</button></dialog><button>Copy answer</button>';
});
afterEach(() => void Reflect.deleteProperty(document, 'execCommand'));

test.each([
  ['Copy link', true],
  ['Copy answer', false],
])('"%s" copies without TLS, too, and keeps the focus', async (label, isInDialog) => {
  offer(() => {
    const field = document.querySelector('textarea')!;
    const text = field.value.slice(field.selectionStart, field.selectionEnd);
    copied.push([text, field.closest('dialog') !== null]);
    return true;
  });
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label)!;
  button.focus();
  await copyText('the text', toasts, SAYS);
  expect(copied).toEqual([['the text', isInDialog]]);
  expect(document.activeElement).toBe(button);
  expect(document.querySelector('textarea')).toBeNull();
  expect(shown).toEqual(['success Copied']);
});

test('says if nothing could be copied', async () => {
  offer(() => false);
  await copyText('the text', toasts, SAYS);
  expect(shown).toEqual(['warning Not copied']);
});
