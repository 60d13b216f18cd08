import { expect, test } from '@jest/globals';
import { allTerms } from './passage-terms.ts';
import { termFinder } from './term-sets.ts';

const texts = [
  '退款将在 7 个工作日内原路退回，３０天内有效。',
  'Refunds of the PC-40 are paid within thirty-five working days.',
  '請在校園卡中心辦理 apt-get 和 /etc/fstab 的備份，百分之五。',
  '𠮷野家的営業時間は 9:30、ＡＢＣ 店。',
  'The customers’ REFUNDS: 1,200.50 or 1.5万 per year',
  'At nine o’clock ponies, sensibilities, hypotheses and flies are sized conditionally; formality hopping, rationalizing, replacements, possibly.',
];

test.each(texts)('finds the same terms as splitting the whole text: %s', (text) => {
  const wanted = [...new Set([...texts.flatMap(allTerms), '没有', 'missing', '42'])];
  const terms = new Set(allTerms(text));

  for (const some of [
    wanted,
    wanted.filter((term) => /\p{Script=Han}/u.test(term)),
    ['refund'],
    [...new Set(allTerms(texts.at(-1)!))].filter((term) => /^[a-z]/.test(term)),
  ])
    expect(termFinder(some)(text)).toEqual(some.map((term) => terms.has(term)));
});
