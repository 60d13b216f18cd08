import { expect, test } from '@jest/globals';
import { passagesOf } from '../index/passages-of.ts';
import { analyseQuestion } from '../retrieve/analyse-question.ts';
import { extractRelated } from './extract-related.ts';

/** The quotes from the passages of documents, in this order. */
function quotes(asked: string, ...texts: string[]): string[] {
  const passages = texts.flatMap((text, at) => {
    const document = {
      _id: `${at}`,
      owner: '',
      name: `${at}`,
      title: 'T',
      language: 'en',
      edition: '',
      text,
    };
    const language = /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
    return [...passagesOf({ ...document, language, asks: new Map() })].map(({ passage }) => passage);
  });
  const units = analyseQuestion(asked, 'en').units.map((unit) => ({
    ...unit,
    passages: 1,
    weight: unit.share,
    lookups: [],
  }));
  return extractRelated(passages, units, asked).citations.map(({ quote }) => quote);
}

const first = '## Lost property\n\nWhat was lost is kept at the desk for a month.\n';
const saysOneWord = '## Cellar\n\nThe film about a bike that was shown last year is sold at the counter.\n';
const isNear = '## Workshop\n\nBicycles are mended on Fridays.\n';

test('the second quote is of the place that is nearest to the question, whatever words it shares', () => {
  const [own, second, ...others] = quotes('When is my bike repaired?', first, saysOneWord, isNear);
  expect(own).toContain('for a month');
  expect(second).toBe('Bicycles are mended on Fridays.');
  expect(others).toEqual([]);
});

test('a quote begins with the sentences before its place while these are short', () => {
  const section = 'Bring the key. Sign the list. Bicycles are mended on Fridays. Pay at the counter.';
  expect(quotes('When is my bicycle mended?', `## Workshop\n\n${section}`)).toEqual([section]);
});

test('the second quote is in the language of the first', () => {
  const chinese = '## 修车\n\n自行车每周五修理，修理费在前台支付，请先登记。\n';
  const [, second] = quotes('When is my bike repaired?', first, chinese, saysOneWord);
  expect(second).toContain('The film about a bike');
});
