import { expect, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { isForeignDomError, tolerateTranslation } from './tolerate-translation.ts';

tolerateTranslation(window);

/** Replaces text by two nested elements, as the translators of browsers do. */
const replacing = (text: Text) => {
  const outer = document.createElement('font');
  const inner = outer.appendChild(document.createElement('font'));
  inner.append(`[${text.data}]`);
  text.replaceWith(outer);
};
/** Inserts the element first, then removes the text. */
const inTwoSteps = (text: Text) => {
  const outer = document.createElement('font');
  outer.append(`[${text.data}]`);
  text.before(outer);
  text.remove();
};
/** Moves the text into an element. */
const wrapping = (text: Text) => {
  const outer = document.createElement('font');
  text.before(outer);
  outer.append(text);
};

async function translate(root: Element, one: (text: Text) => void) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  texts.forEach(one);
  // Mutations are delivered in a microtask.
  await act(async () => undefined);
}

function Page({ name, isBusy, list = [] }: { name: string; isBusy?: boolean; list?: string[] }) {
  return (
    <main>
      <p>
        {isBusy && 'Busy: '}
        {name} {list.length > 0 ? `${list.length} items` : null}
        {isBusy ? 'stop' : <b>go</b>}
      </p>
      {list.length > 0 && <h2>List</h2>}
      {list.map((item) => item)}
    </main>
  );
}

test.each([
  ['replaced', replacing],
  ['replaced in two steps', inTwoSteps],
  ['wrapped', wrapping],
])('text that was %s is changed, removed and followed by other text', async (_, way) => {
  const { rerender } = render(<Page name="w0" />);
  const main = screen.getByRole('main');
  const states = [
    { name: 'w0 w1', isBusy: true },
    { name: 'w0 w1 w2', isBusy: true, list: ['a', 'b'] },
    { name: 'w0 w1 w2 w3', list: ['b'] },
    { name: '', isBusy: true, list: [] },
    { name: 'end', isBusy: false, list: ['a', 'b', 'c'] },
  ];
  for (const state of states) {
    await translate(main, way);
    rerender(<Page {...state} />);
    await act(async () => undefined);
    const translated = main.textContent?.replaceAll(/[[\]]/g, '');
    const { container, unmount } = render(<Page {...state} />);
    expect(translated).toBe(container.textContent);
    unmount();
  }
});

test('text that was removed can be changed and removed', async () => {
  const { rerender } = render(<Page name="w0" isBusy list={['a', 'b']} />);
  const main = screen.getByRole('main');
  await translate(main, (text) => text.remove());
  for (const state of [
    { name: 'w1', list: ['b', 'c'] },
    { name: 'w2', isBusy: true },
  ]) {
    rerender(<Page {...state} />);
    await translate(main, (text) => text.remove());
  }
  expect(screen.getByRole('main')).toBe(main);
});

test('a node elsewhere in the page is still refused', () => {
  const elsewhere = document.body.appendChild(document.createElement('p'));
  const parent = document.createElement('div');
  const refusal = (act: () => unknown) => {
    try {
      act();
    } catch (error) {
      return isForeignDomError(error);
    }
    return undefined;
  };
  expect(refusal(() => parent.removeChild(elsewhere))).toBe(true);
  expect(isForeignDomError(new Error("Failed to execute 'removeChild'"))).toBe(false);
});
