import { describe, expect, test } from '@jest/globals';
import { areAlike, lookUpsOf, saidIn } from './alike.ts';

const isAlike = (one: string, other: string) => areAlike(saidIn(one), saidIn(other));

describe('the same question in other words', () => {
  test.each([
    ['怎么申请退款', '如何申请退款？'],
    ['请问可以开发票吗', '能开发票吗？'],
    ['密码忘了怎么办', '忘记密码怎么办'],
    ['How do I reset my password?', 'how can I reset the password'],
    ['Is there a student discount?', 'do you have a student discount'],
    ['什么时候开门', '几点开门？'],
    ['雪鸮望远镜的保修期是几年', '雪鴞望遠鏡保修期多久'],
    ['可以退货吗', '能不能退货'],
    ['发票怎么开', '怎么开发票'],
    ['where is the parking lot', 'Where can I find the parking lot?'],
  ])('%s – %s', (one, other) => {
    expect([isAlike(one, other), isAlike(other, one)]).toEqual([true, true]);
    // Whichever came first, it is found.
    const words = new Set(saidIn(other).words);
    expect(lookUpsOf(saidIn(one)).some((list) => list.every((word) => words.has(word)))).toBe(true);
  });
});

describe('another question, however alike it sounds', () => {
  test.each([
    ['怎么退货', '哪里退货'],
    ['发票怎么开', '电子发票怎么开'],
    ['可以退货吗', '不可以退货吗'],
    ['北京到上海多少钱', '上海到北京多少钱'],
    ['How do I turn on the heater', 'How do I turn off the heater'],
    ['X100 price', 'X200 price'],
    ['怎么上架商品', '怎么下架商品'],
    ['Can I bring a dog', 'Can I bring a cat'],
    ['什么时候退款', '怎么退款'],
    ['你好', '谢谢'],
    ['三号楼在哪', '四号楼在哪'],
    ['how long is the warranty', 'how much is the warranty'],
  ])('%s – %s', (one, other) => {
    expect([isAlike(one, other), isAlike(other, one)]).toEqual([false, false]);
  });
});
