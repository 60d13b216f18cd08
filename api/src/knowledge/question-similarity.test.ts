import { describe, expect, test } from '@jest/globals';
import { areSimilar, lookUpsOf, parseQuestion } from './question-similarity.ts';

const isAlike = (one: string, other: string) => areSimilar(parseQuestion(one), parseQuestion(other));

describe('the same question in different words', () => {
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
    ['Where’s my parcel?', 'where is my parcel'],
    ["I can't log in", 'I cannot log in'],
    ['周末上班吗', '周末上不上班'],
    ['退款多久到账', '多久退款到账'],
  ])('%s – %s', (one, other) => {
    expect([isAlike(one, other), isAlike(other, one)]).toEqual([true, true]);
    // It must be found by either of the two.
    const words = new Set(parseQuestion(other).words);
    expect(lookUpsOf(parseQuestion(one)).some((list) => list.every((word) => words.has(word)))).toBe(true);
  });
});

describe('a different question that only sounds similar', () => {
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
    ["Why can't I cancel my plan?", 'Why can I cancel my plan?'],
    ["The app doesn't start", 'The app starts'],
    ['Is there a price for members', 'Is there a price for non-members'],
    ['Who can see my records', 'Whose records can I see'],
    ['谁能看到我的记录', '我能看到谁的记录'],
    ['买家可以评价卖家吗', '卖家可以评价买家吗'],
    ['How do I upgrade from v1 to v2', 'How do I upgrade from v2 to v1'],
    ['pdf to word', 'word to pdf'],
    ['顺丰从北京寄到上海要多少钱', '从上海寄到北京多少钱'],
    ['iPhone 14 Pro 屏幕多少钱', 'iPhone 14 屏幕多少钱'],
    ['iPhone 14 Pro screen price', 'iPhone 14 screen price'],
    ['USB-C 接口支持吗', 'USB-A 接口支持吗'],
    ['支持 https 吗', '支持 http 吗'],
    ['支持 C++ 吗', '支持 C# 吗'],
    ['水獭什么时候换水', '水獭什么时候换笼'],
    ['满 5% 折扣怎么用', '满 5 元折扣怎么用'],
  ])('%s – %s', (one, other) => {
    expect([isAlike(one, other), isAlike(other, one)]).toEqual([false, false]);
  });
});
