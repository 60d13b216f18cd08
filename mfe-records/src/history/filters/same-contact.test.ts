import { expect, test } from '@jest/globals';
import { isSameContact, isSameCount } from './same-contact.ts';

test('accepts a contact typed in any format', () => {
  for (const typed of ['138 0013 8000', '+86 138-0013-8000', '１３８００１３８０００', '008613800138000'])
    expect([typed, isSameContact(typed, '13800138000')]).toEqual([typed, true]);
  expect(isSameContact('Dev@Northwind.cn ', 'dev@northwind.cn')).toBe(true);
  for (const typed of ['john smith', ' JOHN  Smith ', '「John Smith」', '“John Smith”', 'Ｊohn　Smith'])
    expect([typed, isSameContact(typed, 'John Smith')]).toEqual([typed, true]);
  expect(isSameContact('客户 7', '客户 7')).toBe(true);
  for (const typed of ['010-6552 9988', '(010) 6552.9988', '+86 10 6552 9988', 'tel:+86-10-6552-9988'])
    expect([typed, isSameContact(typed, '01065529988')]).toEqual([typed, true]);
});

test('does not accept another contact', () => {
  for (const typed of ['', '  ', '「」', '13800138001', '1380013800', '张三'])
    expect([typed, isSameContact(typed, '13800138000')]).toEqual([typed, false]);
});

test('accepts a count typed with separators', () => {
  expect([
    isSameCount('1,200', 1200),
    isSameCount('１２', 12),
    isSameCount('', 0),
    isSameCount('12条', 12),
  ]).toEqual([true, true, false, false]);
});
