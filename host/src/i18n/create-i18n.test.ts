import { beforeEach, expect, test } from '@jest/globals';
import type { Language, Texts } from '../contract.ts';
import { createKeyValueStore } from '../storage/key-value-store.ts';
import { createI18n } from './create-i18n.ts';

const texts = { zh: { hello: '你好，{name}' }, en: { hello: 'Hello, {name}' } };
const open = (options: Partial<Parameters<typeof createI18n>[0]> = {}) =>
  createI18n({
    keyValues: createKeyValueStore(() => localStorage),
    root: document.documentElement,
    ...options,
  });

beforeEach(() => localStorage.clear());

test('starts in Chinese whatever language the browser requests', () => {
  expect(navigator.language).toBe('en-US');
  const i18n = open();
  expect(i18n.language$.value).toBe('zh');
  expect(document.documentElement.lang).toBe('zh-CN');
  expect(i18n.locale()).toBe('zh-CN');
});

test('stores the choice, and translators follow it', async () => {
  const i18n = open();
  const t = i18n.translator(texts);
  expect(t('hello', { name: '林' })).toBe('你好，林');
  await i18n.setLanguage('en');
  expect(t('hello', { name: 'Lin' })).toBe('Hello, Lin');
  expect(document.documentElement.lang).toBe('en');
  expect(open().language$.value).toBe('en');
});

test.each([
  [1, '1 file'],
  ['1', '1 file'],
  [0, '0 files'],
  ['1,000', '1,000 files'],
])('formats %j in a table of both languages with the matching singular or plural', (count, text) => {
  const t = open().translator({ zh: { files: '{count file|files}' }, en: { files: '' } });
  expect(t('files', { count })).toBe(text);
});

test('leaves a placeholder without a value unchanged', () => {
  expect(open().translator(texts)('hello')).toBe('你好，{name}');
});

test('a translator for a fixed language does not change', async () => {
  const i18n = open();
  const t = i18n.translator(texts, 'zh');
  await i18n.setLanguage('en');
  expect(t('hello', { name: '林' })).toBe('你好，林');
  expect(i18n.translator(texts, 'en')('hello', { name: 'Lin' })).toBe('Hello, Lin');
});

interface Greeting {
  hello: string;
  records: object;
}

/** Texts in files, with the requests for them. Files of languages without a table fail to load. */
function filesOf(tables: Record<string, Record<string, string | Record<string, string>>>) {
  const requests: string[] = [];
  const file = async (language: string) => {
    requests.push(language);
    const table = tables[language];
    if (!table) throw new Error(`no ${language}`);
    return { default: table };
  };
  return { texts: { files: [file] } as Texts<Greeting>, requests, tables };
}

const BOTH = {
  zh: { hello: '你好，{name}', records: { other: '{count} 条' } },
  en: { hello: 'Hello, {name}', records: { one: '{count} record', other: '{count} records' } },
};

test('loads the texts of the current language only, and those of the next one before it switches', async () => {
  const i18n = open();
  const { texts, requests } = filesOf(BOTH);
  await i18n.load(texts);
  await i18n.load(texts);
  expect(requests).toEqual(['zh']);
  const t = i18n.translator(texts);
  const shown: string[] = [];
  i18n.language$.subscribe(() => shown.push(t('hello', { name: 'Lin' })));

  await i18n.setLanguage('en');

  expect(requests).toEqual(['zh', 'en']);
  expect(shown).toEqual(['你好，Lin', 'Hello, Lin']);
});

test.each<[string | number, string, string]>([
  [1, '1 条', '1 record'],
  [0, '0 条', '0 records'],
  [1234, '1,234 条', '1,234 records'],
  ['1,001', '1,001 条', '1,001 records'],
])('chooses the plural form of %j by the rules of the language', async (count, zh, en) => {
  const i18n = open();
  const { texts } = filesOf(BOTH);
  await Promise.all([i18n.load(texts, 'zh'), i18n.load(texts, 'en')]);
  expect(i18n.translator(texts, 'zh')('records', { count })).toBe(zh);
  expect(i18n.translator(texts, 'en')('records', { count })).toBe(en);
});

test('stays in its language if a text cannot be loaded; the next attempt does without it', async () => {
  const i18n = open();
  const gone = filesOf({ zh: BOTH.zh });
  const whole = filesOf(BOTH);
  await Promise.all([i18n.load(gone.texts), i18n.load(whole.texts)]);

  await expect(i18n.setLanguage('en')).rejects.toThrow('no en');
  expect(i18n.language$.value).toBe('zh');
  await i18n.setLanguage('en');

  expect(i18n.translator(whole.texts)('hello', { name: 'Lin' })).toBe('Hello, Lin');
  expect(i18n.translator(gone.texts)('hello', { name: 'Lin' })).toBe('你好，Lin');
});

test('a language that is deselected while its texts load is not applied later', async () => {
  const i18n = open();
  const english = Promise.withResolvers<{ default: Record<string, string> }>();
  const file = async (language: string) =>
    language === 'en' ? english.promise : { default: { hello: '你好' } };
  await i18n.load({ files: [file] } as never);
  const first = i18n.setLanguage('en');
  await i18n.setLanguage('zh');
  english.resolve({ default: { hello: 'Hello' } });
  await first;
  expect(i18n.language$.value).toBe('zh');
  expect(open().language$.value).toBe('zh');
});

test('the last of several choices wins, and a screen that is loading meanwhile gets its texts', async () => {
  const i18n = open();
  const { texts } = filesOf(BOTH);
  const late = filesOf(BOTH);
  await i18n.load(texts);
  const loading = i18n.load(late.texts);
  await Promise.all([i18n.setLanguage('en'), i18n.setLanguage('zh'), i18n.setLanguage('en'), loading]);
  expect(i18n.language$.value).toBe('en');
  expect(i18n.translator(late.texts)('hello', { name: 'Lin' })).toBe('Hello, Lin');
});

test('a file without texts counts as one that cannot be loaded', async () => {
  const broken = { files: [async () => ({}) as never] };
  await expect(open().load(broken)).rejects.toThrow('zh');
});

test('a text that the language lacks is the English one, otherwise the Chinese one', async () => {
  const i18n = open();
  const { texts } = filesOf({ zh: BOTH.zh, en: { records: BOTH.en.records } });
  await Promise.all([i18n.load(texts, 'zh'), i18n.load(texts, 'en')]);
  const other = 'fr' as Language;
  expect(i18n.translator({ zh: { a: '甲' }, en: { a: 'A' } }, other)('a')).toBe('A');
  expect(i18n.translator(texts, 'en')('hello', { name: '林' })).toBe('你好，林');
});

test('stores the choice in a cookie for the server, and reads it again', async () => {
  const page = { cookie: 'other=1' };
  await open({ cookies: page }).setLanguage('en');
  expect(page.cookie).toMatch(/^desk-language=en; Path=\/chatbot; Max-Age=\d+; SameSite=Lax$/);
  localStorage.clear();
  expect(open({ cookies: { cookie: 'a=b; desk-language=en; c=d' } }).language$.value).toBe('en');
});

test('a visitor who has not chosen gets the language of the page', () => {
  expect(open({ preferred: 'en' }).language$.value).toBe('en');
  expect(open({ preferred: 'en', cookies: { cookie: 'desk-language=xx' } }).language$.value).toBe('en');
});
