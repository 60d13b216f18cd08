import { expect, test } from '@jest/globals';
import { numeralsIn } from './numerals.ts';
import { runsOf } from './terms.ts';

const found = (text: string) =>
  numeralsIn(runsOf(text)).map(({ value, start, end }) => [text.slice(start, end), value]);

test('Chinese numerals have their value in digits', () => {
  expect(found('三十天，一千二百元，兩千五，八十万')).toEqual([
    ['三十', '30'],
    ['一千二百', '1200'],
    ['兩千五', '2500'],
    ['八十万', '800000'],
  ]);
  expect(found('二〇二四年第三季度，百分之十五，四个半小时')).toEqual([
    ['二〇二四', '2024'],
    ['三', '3'],
    ['百分之十五', '15'],
    ['四个半', '4.5'],
  ]);
});

test('digits with a word for a scale are one number', () => {
  expect(found('1.2千、３万元、5 million')).toEqual([
    ['1.2千', '1200'],
    ['３万', '30000'],
    ['5 million', '5000000'],
  ]);
  expect(found('30 天，3千克')).toEqual([]);
});

test('English words for numbers have their value in digits', () => {
  expect(found('thirty days, forty-five or twenty one, two hundred')).toEqual([
    ['thirty', '30'],
    ['forty-five', '45'],
    ['twenty one', '21'],
    ['two hundred', '200'],
  ]);
});

test('digits in other words are no numbers', () => {
  expect(found('一般，万一，四川，一次，三四天，no one')).toEqual([]);
});
