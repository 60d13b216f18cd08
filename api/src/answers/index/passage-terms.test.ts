import { expect, test } from '@jest/globals';
import { passageTerms, wordPairs } from './passage-terms.ts';

const termsOf = (body: string) => passageTerms({ heading: '', asks: [], titles: [], body }).terms;

test('a name in a cell is looked up by its neighbouring words, as a question names it', () => {
  const pairs = wordPairs('What is the price of the Oslo Oak desk lamp 40 cm?');
  const terms = termsOf('| SKU-00412 | Oslo oak desk lamp 40 cm | 12 |');
  for (const pair of ['oslo oak', 'oak desk', 'desk lamp', 'lamp 40', '40 cm']) {
    expect(pairs).toContain(pair);
    expect(terms).toContain(`-${pair}`);
  }
  expect(terms).not.toContain('-cm 12');
});

test('prose, long cells and Chinese have no word pairs', () => {
  const isPair = (term: string) => term.includes(' ');
  expect(termsOf('Oslo oak desk lamp').filter(isPair)).toEqual([]);
  expect(termsOf('| one two three four five six seven eight nine ten | 樱粉台灯 |').filter(isPair)).toEqual(
    [],
  );
});
