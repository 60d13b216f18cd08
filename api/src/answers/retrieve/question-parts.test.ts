import { expect, test } from '@jest/globals';
import { partsOfQuestion } from './question-parts.ts';

test.each([
  ['几点开门，停车怎么收费？', ['几点开门', '停车怎么收费？']],
  ['伞丢了在哪里领？领取要不要带证件？', ['伞丢了在哪里领？', '领取要不要带证件？']],
  [
    'When does the shop open and how much is garage parking?',
    ['When does the shop open', 'how much is garage parking?'],
  ],
  [
    'Is there a goods lift, and for how long is the garage closed? Who has the spare key?',
    ['Is there a goods lift', 'for how long is the garage closed?', 'Who has the spare key?'],
  ],
])('%s asks for several things', (question, parts) => {
  expect(partsOfQuestion(question)).toEqual(parts);
});

test.each([
  '票丢了，还能入场吗？',
  '谢谢，几点开门？',
  'My ticket is lost, can I still get in?',
  'How much is a ticket for one adult and two children?',
  'Does it cost 1,200 pounds?',
  '几点开店门，停车怎么收费，哪天休息盘点，备用钥匙在哪里？',
  '几点开门？急。',
  '雨伞丢了在哪里领，要多久？',
  'How do I report a lost umbrella, and what are the steps?',
  '',
])('%s is looked up whole', (question) => {
  expect(partsOfQuestion(question)).toEqual([question]);
});

test('a condition belongs to the clause after it', () => {
  expect(partsOfQuestion('门票多少钱，要是下雨，能不能改期？')).toEqual([
    '门票多少钱',
    '要是下雨，能不能改期？',
  ]);
});
