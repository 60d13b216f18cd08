import { expect, test } from '@jest/globals';
import { readComposition } from './composition.ts';

const pageWith = (text: string) => {
  const page = document.implementation.createHTMLDocument();
  const script = page.createElement('script');
  script.type = 'application/json';
  script.id = 'composition';
  script.textContent = text;
  page.head.append(script);
  return page;
};

test('reads the releases that the page was rendered with', () => {
  const remotes = {
    'mfe-chat': { version: '1.4.0', entry: '/r/a.js', previous: { version: '1.3.0', entry: '/r/b.js' } },
  };
  const page = pageWith(JSON.stringify({ id: 'c1', host: { version: '1.0.0' }, remotes }));
  expect(readComposition(page)).toMatchObject({ id: 'c1', remotes });
});

test.each(['', '{half', 'null'])('reads %j as an empty composition', (text) => {
  expect(readComposition(pageWith(text)).remotes).toEqual({});
});

test('reads a page without a composition as an empty composition', () => {
  expect(readComposition(document.implementation.createHTMLDocument()).remotes).toEqual({});
});
