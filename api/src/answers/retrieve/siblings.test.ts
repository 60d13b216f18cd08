import { expect, test } from '@jest/globals';
import { siblingFinder } from './siblings.ts';

test.each([
  ['东门几点开？', '西门 8:00 开放。'],
  ['三层租金多少？', '二层租金每月 900 元。'],
  ['D 座在哪里？', 'B 座在河边。'],
  ['5号楼有电梯吗？', '7号楼有电梯。'],
  ['下午几点开诊？', '上午 9:00 开诊。'],
  ['女生浴室几点关？', '男生浴室 22:00 关闭。'],
  ['When does the north gate open?', 'The south gate opens at nine.'],
  ['Where is Room C?', 'Room B is upstairs.'],
  ['What does zone 2 cost?', 'Zone 3 costs 8.'],
  ['Saturday opening hours', 'Sunday opening: 10 to 4'],
])('%s — a sibling: %s', (question, place) => {
  expect(siblingFinder(question).saysSibling(place)).toBe(true);
});

test.each([
  ['东门几点开？', '东门 8:00 开放，西门 9:00 开放。'],
  ['东门和西门几点开？', '西门 8:00 开放。'],
  ['几点开门？', '西门 8:00 开门。'],
  ['一次能借几本？', '续借最多两次，每次十本。'],
  ['住3天多少钱？', '5天 500 元。'],
  ['When does the north gate open?', 'The gate opens at nine.'],
  ['How many books for 3 people?', 'Up to 5 people may share a card.'],
  ['What does bike rental cost?', 'Bicycle rental is free.'],
  ['', 'The south gate opens at nine.'],
])('%s — no sibling: %s', (question, place) => {
  expect(siblingFinder(question).saysSibling(place)).toBe(false);
});

test('a document distinguishes siblings if it says the asked one elsewhere, or two others', () => {
  const { isOfSibling } = siblingFinder('When does the north gate open?');
  const place = 'The south gate opens at nine.';
  expect(isOfSibling(place, [place, 'Parking is beside the river.'])).toBe(false);
  expect(isOfSibling(place, [place, 'The north gate is closed for repairs.'])).toBe(true);
  expect(isOfSibling(place, [place, 'The east gate is for deliveries.'])).toBe(true);
  expect(isOfSibling('The north gate opens at ten.', [place, 'The east gate is for deliveries.'])).toBe(
    false,
  );
});
