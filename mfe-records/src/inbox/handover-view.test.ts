import { expect, test } from '@jest/globals';
import { partsOf } from './handover-view.tsx';

const linksIn = (text: string) => partsOf(text).flatMap(({ href }) => href ?? []);

test.each([
  ['张三 13800138000，晚上打', ['tel:13800138000']],
  ['+86 138-0013-8000', ['tel:+8613800138000']],
  ['dev@northwind.cn 或 010 6655 7788', ['mailto:dev@northwind.cn', 'tel:01066557788']],
  ['微信 zhang_san', []],
  ['2026-11-23 之后', []],
  ['12', []],
  ['javascript:alert(1)', []],
  ['mailto:a@b.cn?bcc=all@c.cn', ['mailto:a@b.cn', 'mailto:all@c.cn']],
  ['a@b', []],
])('links addresses and numbers in %s', (text, links) => {
  expect(linksIn(text)).toEqual(links);
  expect(
    partsOf(text)
      .map(({ part }) => part)
      .join(''),
  ).toBe(text);
});
