import { expect, test } from '@jest/globals';
import { analyseQuestion } from './analyse-question.ts';
import { asksForMissingRow } from './missing-row.ts';

const staff = listOf('Staff', '| Name | Department | Room |', [
  'Sofia Sato-Laaner',
  'Sofia Okafor-Oamner',
  'Noah Novak',
  'Ivan Lopez',
  'Grace Khan',
  'Hana Petrov',
  'Priya Nair',
  'Daniel Weber',
]);
const chinese = listOf('通讯录', '| 姓名 | 部门 | 座位 |', [
  '周晨静',
  '谢军磊',
  '梁琳丽',
  '杨敏欣',
  '冯欣桂',
  '周宁涛',
  '何海燕',
  '吴雨桐',
]);

function listOf(title: string, head: string, names: readonly string[]) {
  const rows = names.map(
    (name, at) => `| ${name} | ${title === 'Staff' ? 'Legal' : '仓储部'} | ${100 + at} |`,
  );
  const text = [head, '|---|---|---|', ...rows].join('\n');
  return { documentId: 'one', title, place: '', tableHead: '', text };
}

const isOther = (list: typeof staff, text: string) => {
  const units = analyseQuestion(text, 'en').units.map((unit) => ({
    ...unit,
    passages: 1,
    lookups: [],
    weight: 4 * unit.share,
  }));
  return asksForMissingRow([list], units, text);
};

test('a name that no row has asks for a missing row, even if a row has a part of it', () => {
  expect(isOther(staff, 'Which department does Sofia Rossi-Wdtner work in?')).toBe(true);
  expect(isOther(staff, 'Which department does Noah Petersen work in?')).toBe(true);
  expect(isOther(staff, 'Which department does Noah Novak work in?')).toBe(false);
  expect(isOther(staff, 'Which department does Sofia Okafor-Oamner work in?')).toBe(false);
});

test('a table that matches only the name of a column has no such row', () => {
  expect(isOther(chinese, '陈雪兰在哪个部门？')).toBe(true);
  expect(isOther(chinese, '周宁涛在哪个部门？')).toBe(false);
  expect(isOther(chinese, '有哪些部门？')).toBe(false);
});
