import { afterEach, beforeEach, jest } from '@jest/globals';
import { configure } from '@testing-library/dom';
import '@testing-library/jest-dom/jest-globals';
import { ReadableStream, TransformStream } from 'node:stream/web';
import { TextDecoder, TextEncoder } from 'node:util';

// A busy machine needs more than the default of 1 s until `findBy` and `waitFor` give up.
configure({ asyncUtilTimeout: 60_000 });

// jsdom lacks these; browsers have them.
for (const [name, value] of Object.entries({ ReadableStream, TransformStream, TextDecoder, TextEncoder }))
  if (!(name in globalThis))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

// Enough for ids and keys in selectors.
if (!('CSS' in globalThis))
  Object.defineProperty(globalThis, 'CSS', {
    value: {
      escape: (text: string) =>
        text.replaceAll(/[^\w-]|^\d/g, (character) => `\\${character.codePointAt(0)!.toString(16)} `),
    },
    configurable: true,
    writable: true,
  });

// jsdom implements the dialog element without its methods. Focus and backdrop are not simulated.
if ('HTMLDialogElement' in globalThis) {
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
}

// jsdom computes a style by all rules of its style sheet, for each element that a test looks at. Without other style
// sheets, the same kind of element always has the same style.
if ('getComputedStyle' in globalThis) {
  const compute = globalThis.getComputedStyle;
  const known = new Map<string, CSSStyleDeclaration>();
  const kindOf = (element: Element) =>
    [
      element.localName,
      ...['hidden', 'open', 'type', 'style', 'dir'].map((name) => element.getAttribute(name)),
    ].join();
  globalThis.getComputedStyle = (element, pseudo) => {
    const hasOwnSheets = document.styleSheets.length > 0;
    if (hasOwnSheets || pseudo) return compute(element, pseudo);
    const kind = kindOf(element);
    const style = known.get(kind) ?? compute(element);
    known.set(kind, style);
    return style;
  };
}

// React and our own code report problems with console.error: a test during which it is called fails.
const errors: string[] = [];
beforeEach(() => {
  errors.length = 0;
  jest.spyOn(console, 'error').mockImplementation((...words) => {
    errors.push(words.map(String).join(' '));
  });
});
afterEach(() => {
  const unexpected = [...errors];
  jest.restoreAllMocks();
  if (unexpected.length) throw new Error(`console.error was called:\n${unexpected.join('\n')}`);
});
