/** @jest-environment jsdom */
import { beforeEach, expect, test } from '@jest/globals';
import { readFirstState } from './take-over.ts';

let root: HTMLElement;

beforeEach(() => {
  document.body.innerHTML =
    '<style id="first-styles"></style><div id="root" data-first=""><form><textarea name="text"></textarea><input name="other"></form></div>';
  root = document.getElementById('root')!;
});

const field = () => root.querySelector('textarea')!;
const render = (html = '<form><input name="other"><textarea name="text"></textarea></form>') =>
  document.createRange().createContextualFragment(html);

test('a page without a first state has none', () => {
  root.removeAttribute('data-first');
  expect(readFirstState(root)).toBeUndefined();
});

test('keeps text, selection and focus in the field of the same name, and reports the text as input', () => {
  const state = readFirstState(root)!;
  field().value = 'typed early';
  field().focus();
  field().setSelectionRange(2, 5);
  const heard: string[] = [];

  state.replace(() => {
    root.replaceChildren(render());
    field().addEventListener('input', () => heard.push(field().value));
  });

  expect([field().value, field().selectionStart, field().selectionEnd]).toEqual(['typed early', 2, 5]);
  expect(document.activeElement).toBe(field());
  expect(heard).toEqual(['typed early']);
  expect(document.getElementById('first-styles')).toBeNull();
});

test('text follows a stored draft', () => {
  const state = readFirstState(root)!;
  field().value = 'typed';
  state.replace(() => root.replaceChildren(render('<textarea name="text">draft</textarea>')));
  expect(field().value).toBe('draft\ntyped');
});

test('text waits for a screen that failed to load', () => {
  const state = readFirstState(root)!;
  field().value = 'typed early';
  state.replace(() => root.replaceChildren(render('<p>failed</p>')));

  root.replaceChildren(render());
  state.restore();

  expect(field().value).toBe('typed early');
  root.replaceChildren(render());
  state.restore();
  expect(field().value).toBe('');
});

test('a question that is submitted meanwhile is submitted to the screen', () => {
  const state = readFirstState(root)!;
  field().value = 'question';
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
  field().dispatchEvent(enter);
  expect(enter.defaultPrevented).toBe(true);
  const submitted: string[] = [];

  state.replace(() => {
    root.replaceChildren(render());
    root.addEventListener('submit', (event) => {
      event.preventDefault();
      submitted.push(field().value);
    });
  });

  expect(submitted).toEqual(['question']);
});

test('waits for the end of a composition', async () => {
  const state = readFirstState(root)!;
  field().dispatchEvent(new CompositionEvent('compositionupdate', { bubbles: true }));
  let isOver = false;
  const composed = state.whenComposed().then(() => {
    isOver = true;
  });
  await Promise.resolve();
  expect(isOver).toBe(false);
  field().dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
  await composed;
  expect(isOver).toBe(true);
});
