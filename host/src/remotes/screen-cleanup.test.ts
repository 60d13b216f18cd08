import { afterEach, expect, test } from '@jest/globals';
import { createScreenCleanup } from './screen-cleanup.ts';

/** Elements added within this function belong to the remote. */
function addAsRemote(parent: Element, name: string, id: string) {
  return add(parent, name, id);
}
const add = (parent: Element, name: string, id: string) => {
  const element = document.createElement(name);
  element.id = id;
  parent.append(element);
  return element;
};
const owns = (stack: string) => stack.includes('addAsRemote');
const ids = () => [...document.querySelectorAll('[id]')].map(({ id }) => id);

afterEach(() => {
  document.body.replaceChildren();
  document.head.replaceChildren();
  document.body.removeAttribute('class');
  document.body.removeAttribute('style');
});

test('removes what a screen has left, and nothing else', () => {
  add(document.body, 'div', 'root');
  document.body.className = 'calm';
  const leave = createScreenCleanup(document, owns);
  addAsRemote(document.body, 'div', 'overlay');
  addAsRemote(document.head, 'style', 'rules');
  document.body.className = 'locked';
  document.body.style.overflow = 'hidden';
  const sweep = leave();
  // The next screen has been mounted in between.
  addAsRemote(document.body, 'div', 'next');
  sweep();
  expect(ids()).toEqual(['root', 'next']);
  expect(document.body.className).toBe('calm');
  expect(document.body.getAttribute('style')).toBeNull();
});

test('keeps elements added by a browser extension or another script', () => {
  const leave = createScreenCleanup(document, owns);
  add(document.body, 'grammarly-desktop-integration', 'extension');
  add(document.head, 'style', 'extension-rules');
  document.body.setAttribute('cz-shortcut-listen', 'true');
  leave()();
  expect(ids()).toEqual(['extension-rules', 'extension']);
  expect(document.body).toHaveAttribute('cz-shortcut-listen', 'true');
});

test.each([
  ['appendChild', (element: Element) => document.body.appendChild(element)],
  ['prepend', (element: Element) => document.body.prepend(element)],
  ['insertBefore', (element: Element) => document.body.insertBefore(element, document.body.firstChild)],
  [
    'insertAdjacentHTML',
    ({ outerHTML }: Element) => document.body.insertAdjacentHTML('beforeend', outerHTML),
  ],
])('recognises elements added by %s', (_, insert) => {
  const leave = createScreenCleanup(document, (stack) => stack.includes('insertAsRemote'));
  const element = document.createElement('div');
  element.id = 'overlay';
  function insertAsRemote() {
    insert(element);
  }
  insertAsRemote();
  expect(ids()).toEqual(['overlay']);
  leave()();
  expect(ids()).toEqual([]);
});

test('keeps attributes that the next screen has set meanwhile', () => {
  const leave = createScreenCleanup(document, owns);
  document.body.style.overflow = 'hidden';
  const sweep = leave();
  document.body.style.overflow = 'clip';
  sweep();
  expect(document.body.style.overflow).toBe('clip');
});

test('removes the style sheets that a screen has adopted, and no others', () => {
  const own = new CSSStyleSheet();
  const left = new CSSStyleSheet();
  const next = new CSSStyleSheet();
  // jsdom does not support adopted style sheets.
  Object.defineProperty(document, 'adoptedStyleSheets', { value: [own], configurable: true, writable: true });
  const leave = createScreenCleanup(document, owns);
  document.adoptedStyleSheets = [own, left];
  const sweep = leave();
  document.adoptedStyleSheets = [own, left, next];
  sweep();
  const [first, second, ...others] = document.adoptedStyleSheets;
  expect(first).toBe(own);
  expect(second).toBe(next);
  expect(others).toEqual([]);
  Reflect.deleteProperty(document, 'adoptedStyleSheets');
});
