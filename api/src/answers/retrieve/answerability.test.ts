import { expect, test } from '@jest/globals';
import { analyseQuestion } from './analyse-question.ts';
import { type Evidence, evidenceOf, marginOf, unsupportedParts } from './answerability.ts';
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

/** Evidence that a document of one passage answers; every word is as rare as any other in the documents. */
function evidence(text: string, { weight = 4, of = passage } = {}): Evidence {
  const units = unitsOf(text, weight);
  const inDocument = coverageOf(Object.values(of).flat().join('\n'), units);
  return evidenceOf({ passage: of as never, inDocument }, { text, units })!;
}

const unitsOf = (text: string, weight = 4) =>
  analyseQuestion(text, 'en').units.map((unit) => ({
    ...unit,
    passages: 1,
    lookups: [],
    weight: weight * unit.share,
  }));

const odds = (text: string, of = passage) => marginOf(evidence(text, { of }), 'shared');

test('a question whose last word the passage lacks is more likely to be refused', () => {
  expect(odds('Where is the vest of a volunteer collected?')).toBeGreaterThan(
    odds('Where is the vest of a volunteer embroidered?'),
  );
  expect(odds('志愿者的马甲在哪里领取', chinese)).toBeGreaterThan(odds('志愿者的马甲是什么颜色', chinese));
  expect(evidence('志愿者的马甲在哪里领取', { of: chinese }).lastFar).toBe(0);
});

test('words of the title are the topic, and no evidence against the passage', () => {
  const alone = evidence('vest and desk');
  const withTopic = evidence('Riverside Library volunteers: vest and desk');
  expect(withTopic.nearestPlace).toBeCloseTo(alone.nearestPlace);
  expect(withTopic.documentShare).toBe(alone.documentShare);
  expect(evidence('Riverside Library volunteers').documentShare).toBe(1);
});

test('no feature grows with the length of the question or with how rare its words are in the documents', () => {
  const long = `Where is the ${'embroidered parliament galvanised saxophone '.repeat(8)} vest collected?`;
  for (const weight of [0.1, 4, 40])
    for (const value of Object.values(evidence(long, { weight }))) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(2);
    }
  expect(odds(long)).toBeLessThan(odds('Where is the vest collected?'));
});

test('a passage is barred without a name or an identifier of the question, or any word of it', () => {
  expect(evidence('Where does the desk of Ashgrove keep the vest?').lacksName).toBe(1);
  expect(evidence('Where does the desk of Riverside keep the vest?').lacksName).toBe(0);
  const coded = { ...passage, text: 'Vest XK4410 costs 12.' };
  expect(evidence('What does vest XK4410 cost?', { of: coded }).lacksName).toBe(0);
  expect(evidence('What does vest XK4411 cost?', { of: coded }).lacksName).toBe(1);
  expect(evidence('parliament saxophone').lacksValue).toBe(1);
  expect(odds('parliament saxophone')).toBeLessThan(0);
});

test('a question for a time, a number or a phone number is barred from places without one', () => {
  const barred = (question: string, text: string) =>
    evidence(question, { of: { ...passage, text } }).lacksValue;
  expect(barred('How many vests are there?', 'The vests are at the desk.')).toBe(1);
  expect(barred('How many vests are there?', 'The desk has 12 vests.')).toBe(0);
  expect(barred('How many vests are there?', 'The desk has twelve vests.')).toBe(0);
  expect(barred('When are vests collected?', 'Vests are collected at the desk.')).toBe(1);
  expect(barred('When are vests collected?', 'Vests are collected on Monday.')).toBe(0);
  expect(barred('When are vests collected?', 'Vests are collected at nine.')).toBe(0);
  expect(barred('When are vests collected?', 'Vests are collected during the summer.')).toBe(0);
  expect(barred('马甲什么时候领', '马甲在服务台领取。')).toBe(1);
  expect(barred('马甲什么时候领', '入场前，在服务台领取马甲。')).toBe(0);
  expect(barred('马甲什么时候领', '马甲清晨发放。')).toBe(0);
  expect(barred('What is the phone number of the desk?', 'The desk is in room 12.')).toBe(1);
  expect(barred('What is the phone number of the desk?', 'Call the desk: 020 7946 0123.')).toBe(0);
  expect(barred('马甲要多少钱', '马甲在服务台领取。')).toBe(1);
  expect(barred('马甲要多少钱', '马甲免费。')).toBe(0);
  expect(barred('服务台电话是多少？', '服务台在一楼。')).toBe(1);
  expect(barred('服务台电话是多少？', '服务台电话 6612 3455。')).toBe(0);
});

test('other words of the same meaning are near, unrelated ones are not', () => {
  expect(evidence('vest').lastFar).toBe(0);
  expect(evidence('hour').lastFar).toBeLessThan(evidence('parliament').lastFar - 0.1);
  expect(evidence('退还', { of: chinese }).lastFar).toBeLessThan(
    evidence('议会', { of: chinese }).lastFar - 0.1,
  );
});

test('the nearest place is a sentence, or a row with its columns; the other rows of its table are other things', () => {
  const table = { ...passage, text: '| size | price |\n| --- | --- |\n| small | 12 |\n| large | 15 |' };
  const cost = (of: typeof passage) => evidence('what does a small one cost', { of }).nearestPlace;
  expect(cost(table)).toBeGreaterThan(cost({ ...table, text: '| small | 12 |\n| large | 15 |' }));
  const far = (text: string) => evidence(text, { of: table }).rowFar;
  expect(far('price of small')).toBe(0);
  expect(far('weight of small')).toBeGreaterThan(0);
  expect(evidence('weight of the vest').rowFar).toBe(0);
});

test('a question for a time and a passage with one is evidence', () => {
  expect(evidence('When does a volunteer return the vest?').hasTime).toBe(1);
  expect(evidence('Why does a volunteer return the vest?').hasTime).toBe(0);
});

test('measure words of a question need not be said', () => {
  expect(evidence('how often does measuring take place').documentShare).toBeGreaterThan(0.5);
  expect(evidence('马甲多久归还', { of: chinese }).lastFar).toBe(0);
  expect(evidence('the often used vest').lastFar).toBeGreaterThan(0);
});

test('without a passage there is no evidence', () => {
  expect(evidenceOf(undefined, { text: '', units: [] })).toBeNull();
  expect(marginOf(null, 'shared')).toBe(Number.NEGATIVE_INFINITY);
});

test('unsupported are the words that the passages neither say nor say in other words, adjacent ones together', () => {
  const unsupported = (text: string, of = passage) =>
    unsupportedParts([of as never], { text, units: unitsOf(text) });
  expect(unsupported('Where is the vest collected?')).toEqual([]);
  expect(unsupported('Is the vest collected at the front desk by Parliament saxophonists?')).toEqual([
    'Parliament saxophonists',
  ]);
  expect(unsupported('马甲在服务台领取，有没有电池？', chinese)).toEqual(['电池']);
});

test('a passage of another year is barred, and a row or a phone number without a word of the question', () => {
  const of = {
    ...passage,
    title: 'Harbour Run 2025',
    text: 'The Harbour Run 2025 takes place on 14 June. The office has the telephone number 01727 555 029.',
  };
  expect(evidence('When does the Harbour Run 2025 take place?', { of }).lacksName).toBe(0);
  expect(evidence('When does the Harbour Run take place?', { of }).lacksName).toBe(0);
  expect(evidence('When does the Harbour Run 2026 take place?', { of }).lacksName).toBe(1);
  expect(evidence('What is the telephone number of the office?', { of }).isOfOther).toBe(0);
  expect(evidence('What is the telephone number of the veterinarian?', { of }).isOfOther).toBe(1);
  const prices = {
    ...passage,
    title: 'Prices',
    tableHead: '| Cake | Small | Large |',
    text: '| Carrot cake | 16 | 29 |\n| Cheesecake | 18 | 34 |',
  };
  expect(evidence('How much is a large carrot cake?', { of: prices }).isOfOther).toBe(0);
  expect(evidence('How much is a large vegan carrot cake?', { of: prices }).isOfOther).toBe(1);
});
