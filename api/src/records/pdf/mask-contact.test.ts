import { describe, expect, test } from '@jest/globals';
import { maskContact, maskText, maskWithin } from './mask-contact.ts';

describe('masking', () => {
  test.each([
    ['13800138000', '138****8000'],
    ['+8613800138000', '+86****8000'],
    ['62518888', '62****88'],
    ['dana@northwind.cn', 'd**@northwind.cn'],
    ['张三', '张*'],
    ['张三丰', '张*丰'],
    ['欧阳娜娜', '欧**娜'],
    ['客户-20261121-0007', '客****7'],
    ['李', '*'],
    ['𠮷野', '𠮷*'],
  ])('%s becomes %s', (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  test('leaves a missing name missing', () => {
    expect(maskContact({ id: '13800138000', name: '' })).toEqual({ id: '138****8000', name: '' });
  });

  test('finds contacts within a title, both known ones and those that look like one', () => {
    const contacts = [
      { id: '客户-77', name: '张三' },
      { id: 'a.b+c@x.cn', name: '张三丰' },
    ];
    expect(maskWithin('张三丰与张三（客户-77）', contacts)).toBe('张*丰与张*（客***7）');
    expect(maskWithin('致 A.B+C@X.CN', contacts)).toBe('致 A**@X.CN');
    expect(maskWithin('电话 +86 138-0013-8000 或 13900139000', [])).toBe('电话 138****8000 或 139****9000');
    expect(maskWithin('someone@example.com 的咨询', [])).toBe('s**@example.com 的咨询');
    expect(maskWithin('订单 2026112100071234', [])).toBe('订单 2026112100071234');
  });

  test('a contact of one character is masked only where it is the whole text', () => {
    expect(maskWithin('李', [{ id: '李', name: '' }])).toBe('*');
    expect(maskWithin('李白的诗', [{ id: '李', name: '' }])).toBe('李白的诗');
  });
});
