import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readCompanyQuestions, readEverydayWords } from './read-company.ts';

const withoutSpace = (text: string) => text.replace(/\s+/g, '');

test('every quote stands in its document, every fact in a quote, and no document is in both sets', async () => {
  const questions = await readCompanyQuestions();
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  expect(questions.length).toBeGreaterThanOrEqual(600);
  const wrong: string[] = [];
  const setOf = new Map<string, string>();
  for (const { id, language, document, quotes = [], fact = [], set } of questions) {
    if (document === null) continue;
    const text = withoutSpace(
      readFileSync(join(import.meta.dirname, 'sets', language, 'documents', document), 'utf8'),
    );
    const stand = quotes.map(withoutSpace).filter((quote) => text.includes(quote));
    if (quotes.length === 0 || stand.length < quotes.length) wrong.push(`${id}: a quote`);
    if (fact.some((one) => !stand.some((quote) => quote.includes(withoutSpace(one)))))
      wrong.push(`${id}: a fact`);
    const name = `${language}/${document}`;
    if ((setOf.get(name) ?? set) !== set) wrong.push(`${id}: ${name} is in both sets`);
    setOf.set(name, set);
  }
  expect(wrong).toEqual([]);
});

test('everyday words are asked of the development companies only, each question once', async () => {
  const words = await readEverydayWords();
  expect(new Set(words.map(({ set }) => set))).toEqual(new Set(['dev']));
  expect(new Set(words.map(({ question }) => question)).size).toBe(words.length);
  expect(words.filter(({ document }) => document !== null).every(({ quotes }) => quotes?.length)).toBe(true);
});
