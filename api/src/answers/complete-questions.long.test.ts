import { afterAll, expect, test } from '@jest/globals';
import type { Language } from '../contract/language.ts';
import { openKnowledgeStore } from '../testing/knowledge-store.ts';
import type { Turn } from './answerer.ts';
import { createAnswerer } from './create-answerer.ts';
import { indexHandbook } from './handbook/index-handbook.ts';

const store = await openKnowledgeStore();
const answerer = createAnswerer({ models: store.models, handbook: await indexHandbook(store.models) });
afterAll(() => store.end());

async function ask(text: string, language: Language, history: readonly Turn[]): Promise<string> {
  let said = '';
  for await (const piece of answerer.answer(
    { text, language, owner: 'guest:1', history },
    new AbortController().signal,
  ))
    if (piece.kind === 'final') said += JSON.stringify(piece.citations);
    else if ('text' in piece) said += piece.text;
  return said;
}

test.each(['zh', 'en'] as const)(
  'each question of the handbook in %s gets the same answer and citations after every other one',
  async (language) => {
    const passages = await store.models.passages.find({ heading: { $ne: '' }, language }).lean();
    const headings = [...new Set(passages.map(({ heading }) => heading))];
    const changed: string[] = [];
    for (const heading of headings) {
      const alone = await ask(heading, language, []);
      for (const before of headings) {
        const after = await ask(heading, language, [{ question: before, answer: '…' }]);
        if (after !== alone) changed.push(`${heading} after ${before}`);
      }
    }
    expect(headings.length).toBeGreaterThan(100);
    expect(changed).toEqual([]);
  },
);
