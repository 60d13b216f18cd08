import { expect, test } from '@jest/globals';
import type { Language } from '../contract/language.ts';
import { createSay, languageOfLocale, listOf, textsOf } from './texts-of.ts';

const textOf = textsOf('cli-compose');

test('a text is rendered in the language of its reader, with texts as values', () => {
  const text = textsOf('findings')('of_file', {
    release: 'a@1.0.0',
    file: 'a.js',
    fault: textsOf('findings')('not_stored'),
  });
  expect(text('en')).toBe('a.js of a@1.0.0 is not in the release store');
  expect(text('zh')).toBe('a@1.0.0 的 a.js 不在发布存储中');
});

test('the plural form follows from the count and the language', () => {
  const attempts = (count: number) => textOf('attempts', { count });
  expect([0, 1, 2].map((count) => attempts(count)('en'))).toEqual(['0 attempts', '1 attempt', '2 attempts']);
  expect([0, 1, 2].map((count) => attempts(count)('zh'))).toEqual(['0 次', '1 次', '2 次']);
});

test('what a language lacks is shown in English', () => {
  const french = 'fr' as Language;
  expect(textOf('attempts', { count: 1 })(french)).toBe('1 attempt');
  expect(listOf(['a', 'b'])(french)).toBe('a, b');
});

test('a placeholder without a value remains, and values are inserted as they are', () => {
  expect(createSay('cli-compose', 'en')('headVersion')).toBe('VERSION');
  expect(textOf('partAdded', { name: '$& {version}' })('en')).toBe('$& {version} {version} (new)');
});

test.each([
  ['zh_CN.UTF-8', 'zh'],
  ['EN-gb', 'en'],
  ['de', undefined],
  ['', undefined],
])('the language of the locale %j is %j', (locale, language) => {
  expect(languageOfLocale(locale)).toBe(language);
});
