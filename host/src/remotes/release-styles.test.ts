import { expect, test } from '@jest/globals';
import { createReleaseStyles } from './release-styles.ts';

const link = (href: string) => {
  const element = document.createElement('link');
  element.rel = 'stylesheet';
  element.href = href;
  document.head.append(element);
};
const hrefs = () => [...document.querySelectorAll('link')].map((element) => element.getAttribute('href'));

const BROKEN = '/chatbot/releases/mfe-chat/2.0.0/remoteEntry.js';
const PREVIOUS = '/chatbot/releases/mfe-chat/1.0.0/remoteEntry.js';

test('takes the style sheets of the other release away, and puts them back when it is shown again', () => {
  link('/chatbot/releases/host/1.0.0/main.css');
  link('/chatbot/releases/mfe-chat/2.0.0/chat.css');
  link('/chatbot/releases/mfe-chat/1.0.0/chat.css');
  link('/chatbot/releases/mfe-records/2.0.0/history.css');
  const styles = createReleaseStyles(document);
  styles.show(PREVIOUS, [BROKEN, PREVIOUS]);
  expect(hrefs()).toEqual([
    '/chatbot/releases/host/1.0.0/main.css',
    '/chatbot/releases/mfe-chat/1.0.0/chat.css',
    '/chatbot/releases/mfe-records/2.0.0/history.css',
  ]);
  styles.show(BROKEN, [BROKEN, PREVIOUS]);
  expect(hrefs()).toContain('/chatbot/releases/mfe-chat/2.0.0/chat.css');
  expect(hrefs()).not.toContain('/chatbot/releases/mfe-chat/1.0.0/chat.css');
});
