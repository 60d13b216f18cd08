import { afterEach, expect, test } from '@jest/globals';
import { createReleaseStyles } from './release-styles.ts';

afterEach(() => document.head.replaceChildren());

const release = (version: string, entry: string, css: string[] = []) => ({
  version,
  entry,
  exposes: { './chat': { css } },
});
const link = (href: string, mark?: string) => {
  const element = document.createElement('link');
  element.rel = 'stylesheet';
  element.href = href;
  if (mark) element.setAttribute('data-webpack', mark);
  document.head.append(element);
  return element;
};
const hrefs = () => [...document.querySelectorAll('link')].map((element) => element.getAttribute('href'));

test('removes the style sheets of the other release and restores them when it is shown again', () => {
  const broken = release('2.0.0', '/releases/mfe-chat/2.0.0/remoteEntry.js');
  const previous = release('1.0.0', '/releases/mfe-chat/1.0.0/remoteEntry.js');
  const all = [broken, previous];
  const styles = createReleaseStyles(document);
  link('/releases/host/1.0.0/main.css');
  link('/releases/mfe-records/2.0.0/history.css');
  styles.load(broken, all);
  link('/releases/mfe-chat/2.0.0/chat.css');
  styles.load(previous, all);
  link('/releases/mfe-chat/1.0.0/chat.css');
  expect(hrefs()).toHaveLength(4);

  styles.show(previous, all);
  expect(hrefs()).toEqual([
    '/releases/host/1.0.0/main.css',
    '/releases/mfe-records/2.0.0/history.css',
    '/releases/mfe-chat/1.0.0/chat.css',
  ]);
  styles.load(broken, all);
  styles.show(broken, all);
  expect(hrefs()).toContain('/releases/mfe-chat/2.0.0/chat.css');
  expect(hrefs()).not.toContain('/releases/mfe-chat/1.0.0/chat.css');
});

test('releases in one folder: shared style sheets stay, others are removed with their release', () => {
  const broken = release('2.0.0', '/files/entry.2.js', ['/files/same.css', '/files/chat.2.css']);
  const previous = release('1.0.0', '/files/entry.1.js', ['/files/same.css', '/files/chat.1.css']);
  const all = [broken, previous];
  const styles = createReleaseStyles(document);
  styles.load(broken, all);
  link('/files/same.css');
  link('/files/chat.2.css');
  styles.load(previous, all);
  // The loader finds the shared style sheet by its address.
  link('/files/chat.1.css');
  styles.show(previous, all);
  expect(hrefs()).toEqual(['/files/same.css', '/files/chat.1.css']);
});

test('adds the release’s own style sheet where the loader finds sheets by chunk name', () => {
  const broken = release('2.0.0', 'https://tickets.example/2/entry.js');
  const previous = release('1.0.0', 'https://tickets.example/1/entry.js');
  const all = [broken, previous];
  const styles = createReleaseStyles(document);
  styles.load(broken, all);
  const live = link('https://tickets.example/2/chat.css', 'mfe_tickets:chunk-chat');
  const other = link('https://other.example/chat.css', 'mfe_other:chunk-chat');
  styles.load(previous, all);
  expect(live.hasAttribute('data-webpack')).toBe(false);
  expect(other.hasAttribute('data-webpack')).toBe(true);
});

test('keeps the style sheets of a release in a subfolder of the live one', () => {
  const live = release('2.0.0', 'https://tickets.example/entry.js');
  const previous = release('1.0.0', 'https://tickets.example/1/entry.js');
  const all = [live, previous];
  const styles = createReleaseStyles(document);
  styles.load(live, all);
  link('https://tickets.example/chat.css');
  styles.load(previous, all);
  link('https://tickets.example/1/chat.css');
  styles.show(previous, all);
  expect(hrefs()).toEqual(['https://tickets.example/1/chat.css']);
});
