import { readFile } from 'node:fs/promises';
import { afterEach, expect, test } from '@jest/globals';
import { followUpOf } from '../../../api/src/answers/retrieve/follow-up.ts';
import type { Language } from '../../../api/src/contract/language.ts';
import { temporaryDataDir } from '../../start-desk.ts';
import { readCompanyDocuments, readCompanyQuestions } from './company/read-company.ts';
import { type Knowledge, openKnowledge } from './open-knowledge.ts';

interface CompleteQuestion {
  language: Language;
  question: string;
  /** Questions about the same thing follow each other more often than others. */
  document: string;
}

/** What people write between questions, and questions that nothing answers. */
const asides: Record<Language, string[]> = {
  zh: [
    '好的，谢谢你的帮助',
    '我刚入职，什么都不懂',
    '你能做什么？',
    '这个系统最近更新了什么功能',
    '昨天我问过客服，他们说不知道',
  ],
  en: [
    'Thanks, that was helpful.',
    'I am new here and do not know anything yet',
    'What can you do?',
    'What has changed in the latest version of this system?',
    'I asked support yesterday and they did not know either',
  ],
};
/** Of 100 pairs of questions so many may be answered otherwise than the second one alone. */
const mostChanged = 3.5;
const sampled = 2;

let close = async () => {};
afterEach(() => close());

test('colloquial questions about the desk are answered as they are alone, whatever was asked before', async () => {
  const knowledge = await openDesk();
  const names = ['handbook', 'more', 'fresh', 'records'];
  const folder = new URL('../../../api/src/answers/fixtures/', import.meta.url);
  const sets = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(`${name}-questions.json`, folder), 'utf8');
      const { answerable } = JSON.parse(text) as {
        answerable: { language: Language; question: string; headings: string[] }[];
      };
      return answerable.map(({ headings, ...one }) => ({ ...one, document: headings[0]! }));
    }),
  );
  const { pairs, changed } = await changedPairs(knowledge, sets.flat());
  expect(pairs).toBeGreaterThan(1000);
  expect((100 * changed.length) / pairs).toBeLessThanOrEqual(mostChanged);
});

test("questions about a company's documents are answered as they are alone, whatever was asked before", async () => {
  const knowledge = await openDesk();
  const all = await readCompanyQuestions();
  for (const document of await readCompanyDocuments(all))
    if (!document.isPrivate) await knowledge.put(document);
  const complete = all.flatMap(({ set, before, document, language, question, ...one }) =>
    set === 'dev' && !before && !one.private && document ? [{ language, question, document }] : [],
  );
  const { pairs, changed } = await changedPairs(knowledge, complete);
  expect(pairs).toBeGreaterThan(1000);
  expect((100 * changed.length) / pairs).toBeLessThanOrEqual(mostChanged);
});

test('no question that is refused alone is answered after another one', async () => {
  const knowledge = await openDesk();
  const all = await readCompanyQuestions();
  for (const document of await readCompanyDocuments(all))
    if (!document.isPrivate) await knowledge.put(document);
  await knowledge.embeddings.finish();
  const complete = all.filter(({ set, before, ...one }) => set === 'dev' && !before && !one.private);
  const alone = [];
  for (const one of complete)
    alone.push({ ...one, source: (await knowledge.answer(one.question, one.language)).source });
  const answered = alone.filter(({ source, document }) => source !== 'none' && document !== null);
  const undone: string[] = [];
  let pairs = 0;
  for (const { question, language } of alone.filter(({ source }) => source === 'none'))
    for (const before of answered.filter((one) => one.language === language)) {
      const history = [{ question: before.question, answer: '…' }];
      if (followUpOf(question, language, history) === null) continue;
      pairs += 1;
      const { source } = await knowledge.answer(question, language, history);
      if (source !== 'none') undone.push(`${before.question} › ${question}`);
    }
  expect(pairs).toBeGreaterThan(1000);
  expect(undone).toEqual([]);
});

async function openDesk(): Promise<Knowledge> {
  const { dataDir, remove } = await temporaryDataDir();
  const knowledge = await openKnowledge(dataDir);
  close = async () => {
    await knowledge.close();
    await remove();
  };
  return knowledge;
}

/** Asks each question after two others, after two about the same thing, and after an aside. */
async function changedPairs(knowledge: Knowledge, questions: readonly CompleteQuestion[]) {
  await knowledge.embeddings.finish();
  const draw = drawing();
  const answerTo = async ({ question, language }: CompleteQuestion, before: readonly string[]) => {
    const history = before.map((one) => ({ question: one, answer: '…' }));
    const { text, citations } = await knowledge.answer(question, language, history);
    return JSON.stringify({ text, citations });
  };
  const changed: string[] = [];
  let pairs = 0;
  for (const one of questions) {
    const others = questions.filter(
      ({ language, question }) => language === one.language && question !== one.question,
    );
    const alike = others.filter(({ document }) => document === one.document);
    const before = [others, alike].flatMap((some) =>
      some.length === 0 ? [] : Array.from({ length: sampled }, () => [draw(some).question]),
    );
    const aside = draw(asides[one.language]);
    const alone = await answerTo(one, []);
    for (const turns of [...before, [aside], [draw(others).question, aside]]) {
      pairs += 1;
      if ((await answerTo(one, turns)) !== alone) changed.push(`${turns.join(' › ')} › ${one.question}`);
    }
  }
  return { pairs, changed };
}

/** Draws the same each time. */
function drawing() {
  let state = 12345;
  return <T>(some: readonly T[]): T => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return some[Math.floor(state / 256) % some.length]!;
  };
}
