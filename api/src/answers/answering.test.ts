import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { Language } from '../contract/language.ts';
import { openKnowledgeStore } from '../testing/knowledge-store.ts';
import type { Answerer, AnswerPiece, Turn } from './answerer.ts';
import { createAnswerer } from './create-answerer.ts';
import { productChoices } from './desk-choices.ts';
import { builtInEmbeddings, openEmbeddings } from './embeddings/open-embeddings.ts';
import { indexHandbook } from './handbook/index-handbook.ts';
import { createKnowledgeIndex } from './index/create-knowledge-index.ts';
import { retrieve } from './retrieve/retrieve.ts';

interface QuestionSet {
  answerable: Array<{ language: Language; question: string; headings: string[] }>;
  unanswerable: string[];
}

const store = await openKnowledgeStore();
const handbook = await indexHandbook(store.models);
const embeddings = openEmbeddings({
  ...builtInEmbeddings(),
  models: store.models,
  log: pino({ level: 'silent' }),
});
await embeddings.finish();
const answerer = createAnswerer({ models: store.models, handbook, embeddings });
afterAll(async () => {
  await embeddings.stop();
  await store.end();
});

async function ask(
  text: string,
  language: Language = 'zh',
  owner = 'guest:1',
  history: readonly Turn[] = [],
  by = answerer,
) {
  const pieces: string[] = [];
  let final: Extract<AnswerPiece, { kind: 'final' }> | undefined;
  for await (const piece of by.answer({ text, language, owner, history }, new AbortController().signal)) {
    if (piece.kind === 'final') final = piece;
    else if ('text' in piece) pieces.push(piece.text);
  }
  return { text: pieces.join(''), pieces, ...final! };
}

async function readSet(name: string): Promise<QuestionSet> {
  return JSON.parse(
    await readFile(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'),
  ) as QuestionSet;
}

/** Shares of 1: the right section first, among three, answered at all; refusals that are right. */
async function measure(set: QuestionSet) {
  const find = (text: string, language: Language) =>
    retrieve(
      store.models,
      text,
      language,
      { owner: 'guest:1', edition: handbook.edition },
      embeddings.ask(text),
    );
  const rates = { first: 0, three: 0, answered: 0, refused: 0 };
  for (const { question, language, headings } of set.answerable) {
    const { explanation } = await find(question, language);
    const place = explanation.ranked.findIndex(({ heading }) => headings.includes(heading));
    if (place === 0) rates.first += 1 / set.answerable.length;
    if (place >= 0 && place < 3) rates.three += 1 / set.answerable.length;
    if (explanation.verdict === 'answered') rates.answered += 1 / set.answerable.length;
  }
  for (const question of set.unanswerable) {
    const { explanation } = await find(question, /\p{Script=Han}/u.test(question) ? 'zh' : 'en');
    if (explanation.verdict !== 'answered') rates.refused += 1 / set.unanswerable.length;
  }
  return rates;
}

test.each(['handbook-questions', 'more-questions', 'fresh-questions', 'records-questions'])(
  'finds what %s ask in other words, and refuses what it cannot answer',
  async (name) => {
    const rates = await measure(await readSet(name));
    const floors = floorsOf[name]!;
    expect(rates.first).toBeGreaterThanOrEqual(floors.first);
    expect(rates.three).toBeGreaterThanOrEqual(floors.three);
    expect(rates.answered).toBeGreaterThanOrEqual(floors.answered);
    expect(rates.refused).toBeGreaterThanOrEqual(floors.refused);
  },
);

/** A little below what tests/bench/figures/answers.md says was measured. */
const floorsOf: Record<string, { first: number; three: number; answered: number; refused: number }> = {
  'handbook-questions': { first: 0.76, three: 0.9, answered: 0.88, refused: 0.83 },
  'more-questions': { first: 0.63, three: 0.83, answered: 0.81, refused: 0.83 },
  'records-questions': { first: 0.65, three: 0.77, answered: 0.77, refused: 0.78 },
  'fresh-questions': { first: 0.69, three: 0.86, answered: 0.88, refused: 0.9 },
};

test('a complete question gets the same answer after any other question', async () => {
  const passages = await store.models.passages.find({ heading: { $ne: '' } }).lean();
  for (const language of ['zh', 'en'] as const) {
    const headings = [
      ...new Set(passages.filter((one) => one.language === language).map((one) => one.heading)),
    ];
    const changed: string[] = [];
    for (const [at, heading] of headings.entries()) {
      // Every third with another one before it.
      if (at % 3 > 0) continue;
      const before = headings[(at * 7 + 3) % headings.length]!;
      const alone = await ask(heading, language);
      const after = await ask(heading, language, 'guest:1', [{ question: before, answer: '…' }]);
      const isSame =
        after.text === alone.text && JSON.stringify(after.citations) === JSON.stringify(alone.citations);
      if (!isSame) changed.push(`${heading} after ${before}`);
    }
    expect(changed).toEqual([]);
  }
});

test('every section of the handbook is found by its own heading', async () => {
  const passages = await store.models.passages.find({ heading: { $ne: '' } }).lean();
  for (const heading of new Set(passages.map((passage) => passage.heading))) {
    const { language } = passages.find((passage) => passage.heading === heading)!;
    const scope = { owner: 'guest:1', edition: handbook.edition };
    const { explanation } = await retrieve(store.models, heading, language, scope);
    expect([heading, explanation.verdict, explanation.ranked[0]?.heading]).toEqual([
      heading,
      'answered',
      heading,
    ]);
  }
});

test('every citation is quoted word for word from its document, and its passage can be read', async () => {
  const set = await readSet('handbook-questions');
  for (const { question, language } of set.answerable) {
    const { text, citations, source } = await ask(question, language);
    const marks = [...text.matchAll(/\[(\d+)\]/g)].map((mark) => Number(mark[1]));
    expect(marks.every((mark) => mark >= 1 && mark <= citations.length)).toBe(true);
    if (source === 'document') expect(citations.length).toBeGreaterThan(0);
    for (const citation of citations) {
      const passage = await store.models.passages
        .findById(citation.href.replace('/api/passages/', ''))
        .lean();
      const document = await store.models.documents.findById(passage!.documentId).lean();
      expect(document!.text.slice(citation.start, citation.end)).toBe(citation.quote);
      expect(citation.quote.length).toBeGreaterThan(0);
    }
  }
});

test('steps come as a list, in the language of the question', async () => {
  expect((await ask('怎麼把聊天記錄抹掉？', 'en')).text).toMatch(/^1\. .+\n2\. 选「删除会话」。/);
  expect((await ask('how do I get rid of a chat?', 'zh')).text).toMatch(
    /^1\. .+\n2\. Choose Delete conversation\./,
  );
});

test("a row of a table is shown with the table's header", async () => {
  const { text } = await ask('ollama 的地址是什么');
  expect(text).toMatch(
    /^\| 服务 \|.+\n(?:\|---)+\|\n\| Ollama \| `http:\/\/127.0.0.1:11434\/v1` \|.+\[1\] \|$/,
  );
  expect((await ask('What does LOG_LEVEL do?')).text).toContain(
    '| `LOG_LEVEL` | info | How much is logged [1] |',
  );
});

test('adjacent rows are shown as one table with one citation', async () => {
  const { text, citations } = await ask('UNDO_DAYS GUEST_DAYS');
  expect(text).toMatch(/\|---\|\n\| `GUEST_DAYS` .+ \|\n\| `UNDO_DAYS` .+ \[1\] \|$/);
  expect(citations).toHaveLength(1);
});

test('an answer comes in pieces of sentences and lines that join to the whole', async () => {
  const { pieces } = await ask('怎样备份和恢复？');
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces.every((piece) => piece.length > 1)).toBe(true);
});

test.each(['你好', '您好！', 'Hello!', '謝謝', 'thanks', '你是誰？', 'What can you do?', '帮助'])(
  '%s gets a curated answer',
  async (text) => {
    expect(await ask(text)).toMatchObject({ source: 'curated', citations: [], suggestions: [] });
  },
);

test('without a supporting passage it says so, and suggests nothing that is about something else', async () => {
  for (const [text, language] of [
    ['红烧肉怎么做', 'zh'],
    ['Who won the world cup?', 'en'],
  ] as const) {
    const { source, citations, suggestions, text: said } = await ask(text);
    expect([source, citations]).toEqual(['none', []]);
    expect(said).toMatch(
      language === 'zh' ? /没有足够的依据/ : /^Nothing in the knowledge base supports an answer/,
    );
    expect(suggestions).toEqual([]);
  }
});

test('suggestions share a word with the question, are in its language, can be answered, and each comes once', async () => {
  const { source, suggestions } = await ask('火星上的红烧肉会话 export');
  expect(source).toBe('none');
  expect(suggestions.length).toBeGreaterThan(0);
  expect(new Set(suggestions).size).toBe(suggestions.length);
  for (const suggestion of suggestions) {
    expect(suggestion).toContain('会话');
    expect(await ask(suggestion)).toMatchObject({ source: 'document' });
  }
});

test('does not suggest headings of the chapters for operators', async () => {
  const { operations } = handbook;
  expect(operations).toHaveLength(10);
  const headings = new Set<string>(
    (await store.models.passages.find({ title: { $in: operations } }).lean()).map(({ heading }) => heading),
  );
  const offered = async (by: Answerer) => {
    const asked = [
      '火星上的红烧肉备份 export',
      '火星上的模型怎样换红烧肉',
      'Which stew does a release of Mars sell?',
    ];
    const answers = await Promise.all(asked.map((text) => ask(text, 'zh', 'guest:1', [], by)));
    return answers.flatMap(({ suggestions }) => suggestions).filter((one) => headings.has(one));
  };
  expect(await offered(answerer)).toEqual([]);
  const all = createAnswerer({ models: store.models, handbook: { ...handbook, operations: [] }, embeddings });
  expect(await offered(all)).not.toEqual([]);
});

test('an answer is in the language of the question, not of the conversation or the page', async () => {
  const history = [{ question: '怎样修改密码？', answer: '在账户页。' }];
  const refused = await ask('And on Mars?', 'zh', 'guest:1', history);
  expect(refused.source).toBe('none');
  expect(refused.text).toMatch(/^Nothing in the knowledge base/);
  expect((await ask('那火星上呢？', 'en', 'guest:1', [{ question: 'Who won?', answer: '' }])).text).toMatch(
    /没有足够的依据/,
  );
});

test.each([
  '',
  '   ',
  '？！……',
  '👩‍👩‍👧',
  '\u0000\ud800',
  'a'.repeat(8000),
  '的'.repeat(8000),
  '{"$gt":""}',
  '删除'.repeat(3000),
  '[1](x) `',
])('odd questions are answered or refused, never a failure (%#)', async (text) => {
  expect(['document', 'none', 'curated']).toContain((await ask(text)).source);
});

test('an answer contains how it was found', async () => {
  const { why, suggestions } = await ask('怎样删除会话？');
  expect(suggestions).toEqual([]);
  expect(why!.verdict).toBe('answered');
  expect(why!.terms.map(({ word }) => word)).toEqual(['删除', '会话']);
  expect(why!.ranked[0]).toMatchObject({
    place: expect.stringContaining('怎样删除会话？'),
    coverage: 1,
    taken: true,
    missing: [],
  });
  expect(why!.ranked.some(({ taken }) => !taken)).toBe(true);
});

test("others' private passages are never used", async () => {
  const index = createKnowledgeIndex(store.models);
  const text = '# 紫水晶保险柜的密语\n\n密语是夜莺。\n';
  const owner = 'user:7';
  const row = {
    _id: 'secret',
    owner,
    source: 'upload' as const,
    title: '紫水晶',
    language: 'zh' as const,
    status: 'ready' as const,
    text,
  };
  await store.models.documents.create({ ...row, createdAt: new Date() });
  await index.put({ _id: 'secret', owner, title: '紫水晶', language: 'zh', text });
  expect((await ask('紫水晶保险柜的密语是什么', 'zh', 'user:7')).text).toContain('夜莺');
  expect((await ask('紫水晶保险柜的密语是什么', 'zh', 'user:8')).source).toBe('none');
  await store.models.documents.updateOne({ _id: 'secret' }, { $set: { hidden: true } });
  expect((await ask('紫水晶保险柜的密语是什么', 'zh', 'user:7')).source).toBe('none');
  await store.models.documents.updateOne({ _id: 'secret' }, { $set: { hidden: false } });
  await index.remove('secret');
  expect((await ask('紫水晶保险柜的密语是什么', 'zh', 'user:7')).source).toBe('none');
});

test('the desk’s own documents answer before the handbook', async () => {
  const index = createKnowledgeIndex(store.models);
  const own = {
    _id: 'own-help',
    owner: '',
    title: '前台须知',
    language: 'zh' as const,
    text: '# 前台须知\n\n## 账号\n\n密码忘了请到一楼前台重置。\n\n## 会话\n\n会话请由本人删除，删除后三天内可以找前台恢复。\n',
  };
  await store.models.documents.create({
    ...own,
    source: 'upload',
    type: 'text',
    status: 'ready',
    createdAt: new Date(),
  });
  await index.put(own);
  const scope = { owner: 'guest:1', edition: handbook.edition };
  const titlesFor = async (text: string) =>
    (await retrieve(store.models, text, 'zh', scope)).explanation.ranked.map(({ title }) => title);
  const about = await titlesFor('会话删除后找谁恢复');
  const heading = await titlesFor('怎样删除会话？');
  await index.remove('own-help');
  await store.models.documents.deleteOne({ _id: 'own-help' });
  expect(about[0]).toBe('前台须知');
  // A heading of the handbook is a question about the desk.
  expect(heading.length).toBeGreaterThan(1);
  expect(heading[0]).toBe('会话');
});

test('turned off by a setting, the handbook neither answers nor is suggested', async () => {
  const choices = { ...productChoices, usesHandbook: () => false };
  const without = createAnswerer({ models: store.models, handbook, embeddings, choices });
  const asked = { text: '怎样删除会话？', language: 'zh' as const, owner: 'guest:1', history: [] };
  let final: AnswerPiece | undefined;
  for await (const piece of without.answer(asked, new AbortController().signal)) final = piece;
  expect(final).toMatchObject({ source: 'none', citations: [], suggestions: [] });
});

test('stopped before it begins, it yields nothing', async () => {
  const pieces = answerer.answer(
    { text: '你好', language: 'zh', owner: '', history: [] },
    AbortSignal.abort(),
  );
  const said: AnswerPiece[] = [];
  for await (const piece of pieces) said.push(piece);
  expect(said).toEqual([]);
});

test.each([
  ['盲人用户能用吗 读屏', '支持读屏软件吗？'],
  ['怎么抹掉一个会话', '怎样删除会话？'],
])('answers %s in its own language, from the section that it asks for', async (question, heading) => {
  const scope = { owner: 'guest:1', edition: handbook.edition };
  const { explanation } = await retrieve(store.models, question, 'zh', scope);
  expect([explanation.verdict, explanation.ranked[0]?.heading]).toEqual(['answered', heading]);
});

test('a single-character word of another region is looked up as its counterpart', async () => {
  const scope = { owner: 'guest:1', edition: handbook.edition };
  const found = async (question: string) => (await retrieve(store.models, question, 'zh', scope)).explanation;
  const [here, elsewhere] = [await found('怎样修改端口'), await found('怎樣修改埠')];
  expect(elsewhere.ranked[0]?.heading).toBe('怎样修改端口和监听地址？');
  expect([elsewhere.verdict, elsewhere.ranked[0]?.heading]).toEqual([here.verdict, here.ranked[0]?.heading]);
});

test('a follow-up in another language is looked up in its own', async () => {
  const languageOf = async (text: string, language: Language) => {
    const scope = { owner: 'guest:1', edition: handbook.edition };
    const { explanation } = await retrieve(store.models, text, language, scope);
    return (await store.models.passages.findById(explanation.ranked[0]?.passageId).lean())?.language;
  };
  expect(await languageOf('导出会话，export a conversation as PDF', 'en')).toBe('en');
  expect(await languageOf('export a conversation as PDF to a file，导出会话', 'zh')).toBe('zh');
});

test('sections of two products that differ in a name and a number are both found, and a copy is not', async () => {
  const index = createKnowledgeIndex(store.models);
  const manual = (model: string, hours: number) =>
    `# 恒风 ${model} 空压机手册\n\n## 冷凝水\n\n储气罐底部会积聚冷凝水，长期不排会锈蚀罐体并把水带进管路。请先停机并确认压力表归零，再缓慢打开底部球阀，排到只剩空气为止，然后关紧球阀，擦干地面。${model} 每 ${hours} 小时排水一次，雨季减半。`;
  const documents = [
    { _id: 'pump-100', title: '恒风 F100 空压机手册', text: manual('F100', 8) },
    { _id: 'pump-200', title: '恒风 F200 空压机手册', text: manual('F200', 24) },
    { _id: 'pump-200-again', title: '恒风 F200 空压机手册', text: manual('F200', 24) },
  ];
  for (const document of documents) {
    const row = { ...document, owner: '', language: 'zh' as const };
    await store.models.documents.create({
      ...row,
      source: 'upload',
      type: 'text',
      status: 'ready',
      createdAt: new Date(),
    });
    await index.put(row);
  }
  const scope = { owner: 'guest:1', edition: handbook.edition };
  const { explanation } = await retrieve(store.models, 'F200 空压机多久排水一次', 'zh', scope);
  for (const { _id } of documents) await index.remove(_id);
  const titles = explanation.ranked.map(({ title }) => title).filter((title) => title.startsWith('恒风'));
  expect(titles).toEqual(['恒风 F200 空压机手册', '恒风 F100 空压机手册']);
});

test.each(['where can I buy train tickets', 'where is the nearest pharmacy'])(
  '%s shares only a question word with the desk, and is not answered',
  async (question) => {
    const scope = { owner: 'guest:1', edition: handbook.edition };
    const { explanation } = await retrieve(store.models, question, 'en', scope);
    expect(explanation.verdict).not.toBe('answered');
  },
);
