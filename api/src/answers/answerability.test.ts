import { expect, test } from '@jest/globals';
import { analyseQuestion } from './analyse-question.ts';
import { type Evidence, evidenceOf, marginOf } from './answerability.ts';
import { coverageOf } from './rank.ts';

const passage = {
  title: 'Volunteers of Riverside Library',
  place: 'Uniform',
  heading: 'Uniform',
  ways: ['Uniform'],
  tableHead: '',
  text: 'Volunteers collect their vest at the front desk and return it after the last shift. Measuring takes five minutes.',
};

const chinese = {
  title: '滨江图书馆志愿者招募',
  place: '服装',
  heading: '服装',
  ways: ['服装'],
  tableHead: '',
  text: '马甲在一楼服务台领取，最后一次值班后归还。',
};

/** Evidence that a document of one passage answers; every word is as rare as any other. */
function evidence(text: string, { weight = 4, of = passage } = {}): Evidence {
  const { units, words, characters } = analyseQuestion(text, 'en');
  const weighed = (term: string) => ({ term, weight });
  const counted = units.map((unit) => ({ ...unit, passages: 1, lookups: [], weight: weight * unit.share }));
  const inDocument = coverageOf(Object.values(of).flat().join('\n'), counted);
  const question = { text, units: counted, words: words.map(weighed), characters: characters.map(weighed) };
  return evidenceOf({ passage: of as never, inDocument }, question)!;
}

const odds = (text: string, of = passage) => marginOf(evidence(text, { of }), 'shared');

test('a question whose last word the passage lacks is more likely to be refused', () => {
  expect(odds('Where is the vest of a volunteer collected?')).toBeGreaterThan(
    odds('Where is the vest of a volunteer embroidered?'),
  );
  expect(odds('志愿者的马甲在哪里领取', chinese)).toBeGreaterThan(odds('志愿者的马甲是什么颜色', chinese));
  expect(evidence('志愿者的马甲在哪里领取', { of: chinese }).lastFar).toBe(0);
});

test('words of the title are the topic, and neither evidence for nor against the passage', () => {
  const alone = evidence('vest and desk');
  const withTopic = evidence('Riverside Library volunteers: vest and desk');
  expect(withTopic.near).toBe(alone.near);
  expect(withTopic.nearestPlace).toBeCloseTo(alone.nearestPlace);
  expect(withTopic.missing).toBe(alone.missing);
  expect(withTopic.documentShare).toBe(alone.documentShare);
});

test('the document says all of a question about nothing but the topic', () => {
  expect(evidence('Riverside Library volunteers').documentShare).toBe(1);
});

test('a name that the passage lacks counts against it', () => {
  expect(evidence('Where does the desk of Ashgrove keep the vest?').namesMissing).toBe(1);
  expect(evidence('Where does the desk of Riverside keep the vest?').namesMissing).toBe(0);
});

test('other words of the same meaning are near, unrelated ones are not', () => {
  expect(evidence('vest').near).toBe(1);
  expect(evidence('hour').near).toBeGreaterThan(evidence('parliament').near + 0.1);
  expect(evidence('退还', { of: chinese }).near).toBeGreaterThan(
    evidence('议会', { of: chinese }).near + 0.1,
  );
  expect(odds('How many hours does it take?')).toBeGreaterThan(odds('How many parliaments does it take?'));
});

test('a word without a vector is near only if the passage says it', () => {
  const coded = { ...passage, text: 'Vest XK4410 costs 12.' };
  expect(evidence('XK4410', { of: coded })).toMatchObject({ near: 1, nearestPlace: 1, missing: 0 });
  expect(evidence('XK4411', { of: coded }).near).toBeLessThan(1);
});

test('the nearest place is a sentence, or a row with its columns', () => {
  const table = { ...passage, text: '| size | price |\n| --- | --- |\n| small | 12 |\n| large | 15 |' };
  const cost = (of: typeof passage) => evidence('what does a small one cost', { of }).nearestPlace;
  expect(cost(table)).toBeGreaterThan(cost({ ...table, text: '| small | 12 |\n| large | 15 |' }));
});

test('a question for a time and a passage with one is evidence', () => {
  expect(evidence('When does a volunteer return the vest?').hasTime).toBe(1);
  expect(evidence('Why does a volunteer return the vest?').hasTime).toBe(0);
});

test('measure words of a question do not count as missing', () => {
  expect(evidence('how often does measuring take place')).toMatchObject({
    namesMissing: 0,
    documentShare: expect.closeTo(2 / 3),
  });
  expect(evidence('马甲多久归还', { of: chinese })).toMatchObject({
    missing: 0,
    lastFar: 0,
    documentShare: expect.closeTo(0.8),
  });
  expect(evidence('the often used vest').missing).toBeGreaterThan(0);
});

test('rare words weigh more; without a passage there is no evidence', () => {
  expect(evidence('vest and jacket', { weight: 6 }).missing).toBe(6);
  expect(evidenceOf(undefined, { text: '', units: [], words: [], characters: [] })).toBeNull();
  expect(marginOf(null, 'shared')).toBe(Number.NEGATIVE_INFINITY);
});
