import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { foldQuote } from './fold-quote.ts';
import { type Answerable, KINDS, readQuestions, readRefusals, type SetName } from './read-questions.ts';

const sets: SetName[] = ['dev', 'test'];
const handbook = new URL('../../../api/handbook/', import.meta.url);

test('there are enough questions of every kind, half Chinese and half English, and none twice', async () => {
  const all = await Promise.all(sets.map(readQuestions));
  const answerable = all.flatMap((set) => set.answerable);
  const unanswerable = all.flatMap((set) => set.unanswerable);
  const shareOfChinese = (questions: { language: string }[]) =>
    questions.filter(({ language }) => language === 'zh').length / questions.length;

  expect(answerable.length).toBeGreaterThanOrEqual(320);
  expect(unanswerable.length).toBeGreaterThanOrEqual(70);
  expect(Math.abs(shareOfChinese(answerable) - 0.5)).toBeLessThan(0.05);
  expect(Math.abs(shareOfChinese(unanswerable) - 0.5)).toBeLessThan(0.05);
  for (const kind of KINDS) expect(answerable.some((question) => question.kind === kind)).toBe(true);
  const texts = [...answerable, ...unanswerable].map(({ question }) => question);
  expect(new Set(texts).size).toBe(texts.length);
});

test.each(sets)('every question of %s is whole', async (name) => {
  const { answerable, unanswerable } = await readQuestions(name);
  for (const { question, kind, language } of [...answerable, ...unanswerable]) {
    expect(question.trim()).toBe(question);
    expect(question.length).toBeGreaterThan(3);
    expect(KINDS).toContain(kind);
    expect(['zh', 'en']).toContain(language);
  }
  for (const { document, quotes } of answerable) {
    expect(document).toMatch(
      /^(?:debian-reference-(?:en|zh-cn)\/\w+\.(?:en|zh-cn)\.html|handbook\/(?:en|zh)\/[\w-]+\.md)$/,
    );
    expect(quotes.length).toBeGreaterThan(0);
    // Short enough to name a place, and no more of a text that is another's.
    for (const quote of quotes) expect(quote.length).toBeLessThanOrEqual(120);
  }
});

test.each(sets)('every quote of %s from the handbook stands in it', async (name) => {
  const questions = (await readQuestions(name)).answerable.filter(isOnHandbook);
  expect(questions.length).toBeGreaterThanOrEqual(20);
  for (const { document, quotes } of questions) {
    const text = foldQuote(await readFile(new URL(document.replace('handbook/', ''), handbook), 'utf8'));
    expect([document, quotes.filter((quote) => text.includes(foldQuote(quote)))]).not.toEqual([document, []]);
  }
});

test('what is to be refused is asked once, of documents that say what they are asked for', async () => {
  const { unanswerable, elsewhere, documents } = await readRefusals();
  const asked = [
    ...[...unanswerable, ...elsewhere].map(({ question }) => question),
    ...documents.flatMap(({ answerable, unanswerable: no }) => [
      ...answerable.map(({ question }) => question),
      ...no,
    ]),
  ];
  expect(unanswerable.length + documents.flatMap((one) => one.unanswerable).length).toBeGreaterThanOrEqual(
    180,
  );
  expect(new Set(asked).size).toBe(asked.length);
  for (const { text, answerable } of documents)
    for (const { expects } of answerable) expect(foldQuote(text)).toContain(foldQuote(expects));
});

function isOnHandbook({ document }: Answerable): boolean {
  return document.startsWith('handbook/');
}
