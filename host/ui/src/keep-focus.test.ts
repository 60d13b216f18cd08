import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { keepFocus } from './keep-focus.ts';

let end: () => void;
beforeEach(() => {
  end = keepFocus(document);
});
afterEach(() => end());

const named = (id: string) => document.getElementById(id)!;
/** Two frames with their timers. */
async function settle(): Promise<void> {
  for (let frame = 0; frame < 2; frame += 1) {
    await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve));
  }
}
function show(html: string): void {
  document.body.innerHTML = html;
}

test('the heading of the nearest part takes the focus of a removed control', async () => {
  show(
    '<main id="main" tabindex="-1"><h1>a</h1><section><h2 id="near">b</h2><p><button id="gone">c</button></p></section></main>',
  );
  named('gone').focus();
  named('gone').parentElement!.remove();
  await settle();
  expect(named('near')).toHaveFocus();
});

test('an element that the code focuses itself keeps the focus, even if that happens a frame later', async () => {
  show('<main id="main"><h1>a</h1><button id="gone">b</button><button id="next">c</button></main>');
  named('gone').focus();
  named('gone').remove();
  requestAnimationFrame(() => named('next').focus());
  await settle();
  expect(named('next')).toHaveFocus();
});

test('without a heading, #main takes it; inert and hidden parts do not', async () => {
  show(
    '<main id="main" tabindex="-1"><section id="part"><h2>a</h2><button id="gone">b</button></section></main>',
  );
  named('gone').focus();
  named('part').setAttribute('inert', '');
  named('gone').remove();
  await settle();
  expect(named('main')).toHaveFocus();
});

test('the focus of a removed part of a dialog stays in the dialog', async () => {
  show(
    '<main id="main"><h1>a</h1></main><dialog open><h2 id="title">b</h2><ul><li id="gone"><button>c</button></li></ul></dialog>',
  );
  named('gone').querySelector('button')!.focus();
  named('gone').remove();
  await settle();
  expect(named('title')).toHaveFocus();
});

test('another screen takes the focus itself; a focus that the visitor removed is not restored', async () => {
  show('<div id="root"><main id="main"><h1>a</h1><button>b</button></main></div>');
  named('main').querySelector('button')!.focus();
  named('root').innerHTML = '<main id="main" tabindex="-1"><h1>c</h1></main>';
  await settle();
  expect(document.body).toHaveFocus();

  show('<main id="main"><h1>a</h1><input id="field"><p id="beside">b</p></main>');
  named('field').focus();
  named('beside').dispatchEvent(new Event('pointerdown', { bubbles: true }));
  named('field').blur();
  named('field').remove();
  await settle();
  expect(document.body).toHaveFocus();
});
