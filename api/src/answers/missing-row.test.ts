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

const isOther = (list: typeof staff, text: string, ...more: (typeof staff)[]) => {
  const units = analyseQuestion(text, 'en').units.map((unit) => ({
    ...unit,
    passages: 1,
    lookups: [],
    weight: 4 * unit.share,
  }));
  return asksForMissingRow([list, ...more], units, text);
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

test('a table of long texts is no list to look something up in', () => {
  const text = staff.text.replaceAll('Legal', 'The department of legal affairs of all branches, '.repeat(4));
  expect(isOther({ ...staff, text }, 'Which department does Noah Petersen work in?')).toBe(false);
});

test('only the rows of this document count as its list', () => {
  const [head, line, ...rows] = staff.text.split('\n');
  const part = { ...staff, text: [head, line, ...rows.slice(0, 4)].join('\n') };
  const rest = { ...staff, text: [head, line, ...rows.slice(4)].join('\n') };
  const question = 'Which department does Noah Petersen work in?';
  expect(isOther(part, question, rest)).toBe(true);
  expect(isOther(part, question, { ...rest, documentId: 'two' })).toBe(false);
});
