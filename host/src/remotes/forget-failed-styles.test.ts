import { expect, test } from '@jest/globals';
import { forgetFailedStyles } from './forget-failed-styles.ts';

test('forgets a linked style sheet that did not come, and no other', () => {
  document.head.innerHTML = `
    <link rel="stylesheet" data-rspack="mfe-chat@1.0.0:chunk-chat" id="came" />
    <link rel="stylesheet" data-rspack="mfe-chat@1.0.0:chunk-failed" id="refused" />
    <link rel="stylesheet" data-rspack="mfe-chat@1.0.0:chunk-missing" id="missing" />
    <link rel="stylesheet" data-rspack="mfe-chat@1.0.0:chunk-foreign" id="unreadable" />
    <link rel="modulepreload" id="script" />`;
  const give = (id: string, sheet: unknown) =>
    Object.defineProperty(document.getElementById(id), 'sheet', { value: sheet });
  give('came', { cssRules: [{}] });
  give('refused', null);
  give('missing', { cssRules: [] });
  give('unreadable', {
    get cssRules() {
      throw new DOMException('Cannot access rules', 'SecurityError');
    },
  });

  forgetFailedStyles(document);

  expect([...document.head.querySelectorAll('link')].map(({ id }) => id)).toEqual(['came', 'script']);
});
