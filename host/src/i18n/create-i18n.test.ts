import { beforeEach, expect, test } from '@jest/globals';
import { createKeyValueStore } from '../storage/key-value-store.ts';
import { createI18n } from './create-i18n.ts';

const texts = { zh: { hello: '你好，{name}' }, en: { hello: 'Hello, {name}' } };
const open = () =>
  createI18n({ keyValues: createKeyValueStore(() => localStorage), root: document.documentElement });

beforeEach(() => localStorage.clear());

test('starts in Chinese whatever language the browser requests', () => {
  expect(navigator.language).toBe('en-US');
  const i18n = open();
  expect(i18n.language$.value).toBe('zh');
  expect(document.documentElement.lang).toBe('zh-CN');
  expect(i18n.locale()).toBe('zh-CN');
});

test('stores the choice, and translators follow it', () => {
  const i18n = open();
  const t = i18n.translator(texts);
  expect(t('hello', { name: '林' })).toBe('你好，林');
  i18n.setLanguage('en');
  expect(t('hello', { name: 'Lin' })).toBe('Hello, Lin');
  expect(document.documentElement.lang).toBe('en');
  expect(open().language$.value).toBe('en');
});

test.each([
  [1, '1 file'],
  ['1', '1 file'],
  [0, '0 files'],
  ['1,000', '1,000 files'],
])('formats %j with the matching singular or plural', (count, text) => {
  const t = open().translator({ zh: { files: '{count file|files}' }, en: { files: '' } });
  expect(t('files', { count })).toBe(text);
});

test('leaves a placeholder without a value unchanged', () => {
  expect(open().translator(texts)('hello')).toBe('你好，{name}');
});

test('a translator for a fixed language does not change', () => {
  const i18n = open();
  const t = i18n.translator(texts, 'zh');
  i18n.setLanguage('en');
  expect(t('hello', { name: '林' })).toBe('你好，林');
  expect(i18n.translator(texts, 'en')('hello', { name: 'Lin' })).toBe('Hello, Lin');
});
