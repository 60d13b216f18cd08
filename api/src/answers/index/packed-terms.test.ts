import { expect, test } from '@jest/globals';
import { packTerms, type TermPlaces, tabulate, unpackPlaces } from './packed-terms.ts';

const nowhere: TermPlaces = { body: 0, heading: false, title: false, asked: false };
const pack = (places: Record<string, Partial<TermPlaces>>) => ({
  weights: packTerms(new Map(Object.entries(places).map(([term, at]) => [term, { ...nowhere, ...at }]))),
});

test('a table has the places of each term in each passage, in their order', () => {
  const words = Array.from({ length: 300 }, (_, at) => `word${at}`);
  const passages = [
    pack(Object.fromEntries(words.map((word, at) => [word, { body: 1 + (at % 15) }]))),
    pack({}),
    pack({ word7: { body: 40, title: true }, refund: { heading: true, asked: true } }),
  ];

  const placesOf = tabulate(passages, [...words, 'refund', 'missing']);

  for (const [at, word] of words.entries()) expect(placesOf(word)[0]).toBe(1 + (at % 15));
  expect(Array.from(placesOf('word7'), unpackPlaces)).toEqual([
    { ...nowhere, body: 8 },
    nowhere,
    { ...nowhere, body: 15, title: true },
  ]);
  expect(Array.from(placesOf('refund'), unpackPlaces)).toEqual([
    nowhere,
    nowhere,
    { ...nowhere, heading: true, asked: true },
  ]);
  expect([...placesOf('missing')]).toEqual([0, 0, 0]);
});
