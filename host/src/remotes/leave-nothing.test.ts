import { expect, test } from '@jest/globals';
import { leaveNothing } from './leave-nothing.ts';

const add = (parent: Element, name: string, id: string) => {
  const element = document.createElement(name);
  element.id = id;
  parent.append(element);
};
const ids = () => [...document.querySelectorAll('[id]')].map(({ id }) => id);

test('takes away what a screen has left, and nothing else', () => {
  add(document.body, 'div', 'root');
  document.body.className = 'calm';
  const leave = leaveNothing(document);
  add(document.body, 'div', 'overlay');
  add(document.head, 'style', 'rules');
  document.body.className = 'locked';
  document.body.style.overflow = 'hidden';
  const sweep = leave();
  // The next screen has come in between.
  add(document.body, 'div', 'next');
  sweep();
  expect(ids()).toEqual(['root', 'next']);
  expect(document.body.className).toBe('calm');
  expect(document.body.getAttribute('style')).toBeNull();
});

test('what the next screen has set meanwhile stays', () => {
  const leave = leaveNothing(document);
  document.body.style.overflow = 'hidden';
  const sweep = leave();
  document.body.style.overflow = 'clip';
  sweep();
  expect(document.body.style.overflow).toBe('clip');
});

test('takes away the style sheets that a screen has adopted, and no others', () => {
  const own = new CSSStyleSheet();
  const left = new CSSStyleSheet();
  const next = new CSSStyleSheet();
  // jsdom does not adopt style sheets.
  Object.defineProperty(document, 'adoptedStyleSheets', { value: [own], configurable: true, writable: true });
  const leave = leaveNothing(document);
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
