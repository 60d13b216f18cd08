import { afterAll, expect, test } from '@jest/globals';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { KnowledgeCheck } from '../../contract/knowledge.ts';
import type { SynonymList } from '../../contract/synonyms.ts';
import { givenDocument, givenPair } from '../../testing/knowledge-calls.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { signedUp } from '../../testing/visitor.ts';
import { runsOf } from '../../text/terms.ts';
import { analyseQuestion } from './analyse-question.ts';
import { compileSynonyms } from './synonyms.ts';

const find = compileSynonyms([
  ['班车', '通勤大巴', 'shuttle bus'],
  ['shuttle', '摆渡车'],
  ['HX-500', '净水机五代'],
]);

test.each([
  ['班车几点发？', [['班车', '通勤大巴', 'shuttle bus']]],
  ['When do the Shuttle　BUS and others leave?', [['shuttle bus', '班车', '通勤大巴']]],
  ['the shuttle', [['shuttle', '摆渡车']]],
  ['ＨＸ-500 怎么清洗', [['hx 500', '净水机五代']]],
  ['班，车', []],
  ['上班坐车', []],
])('%s: the longest words with synonyms, whatever their case, width and inflection', (text, expected) => {
  expect(find(runsOf(text)).map(({ ways }) => ways.map(({ surface }) => surface))).toEqual(expected);
});

test('a word with synonyms is one unit, which any of them says', () => {
  const { units } = analyseQuestion('公司的班车几点发？', 'zh', find);
  const unit = units.find(({ surface }) => surface === '班车');
  expect(unit?.groups.map(({ terms, strength }) => [terms.join(' '), strength])).toEqual([
    ['班车', 1],
    ['通勤 勤大 大巴', 1],
    ['shuttl bu', 1],
  ]);
  expect(units.filter(({ terms }) => terms.includes('班车'))).toHaveLength(1);
  expect(analyseQuestion('公司的班车几点发？', 'zh').units.every(({ groups }) => groups.length === 1)).toBe(
    true,
  );
});

const api = await startTestApi({});
const editor = await signedUp(api.url, 'first', 'password-1');
afterAll(() => api.end());

const path = '/api/knowledge/synonyms';
const ask = async (text: string) => await editor.ask(text);

test('a synonym finds and answers like the word itself, in documents and pairs, as soon as it is saved', async () => {
  const filler = Array.from(
    { length: 30 },
    (_, at) => `## 第 ${at + 1} 号规定\n\n办公用品按部门领取，编号 ${at}。\n`,
  );
  await givenDocument(
    editor,
    'rules.md',
    `# 行政规定\n\n## 通勤大巴\n\n通勤大巴每天 8:10 从地铁站东口发车。\n\n${filler.join('\n')}`,
  );
  await givenPair(editor, { question: '通勤大巴怎么预约', answer: '在前台登记。' });
  const asked = ['小蓝梭几点从地铁站发车？', '小蓝梭怎么预约'] as const;
  const itself = await ask('通勤大巴几点从地铁站发车？');
  const [before] = [await ask(asked[0]), await ask(asked[1])];
  expect(itself).toMatchObject({ outcome: 'answered' });
  expect(before.outcome).not.toBe('answered');

  const groups = [['通勤大巴', '小蓝梭']];
  const change = { kind: 'put_synonyms', groups };
  const check = await editor.call<KnowledgeCheck>('POST', '/api/knowledge/check', change);
  expect(check.body.unanswered).toEqual(
    expect.arrayContaining([
      {
        question: asked[0],
        before: { outcome: before.outcome, cited: expect.any(Array) },
        after: { outcome: 'answered', cited: ['行政规定'] },
      },
    ]),
  );
  expect((await ask(asked[0])).outcome).toBe(before.outcome);

  const saved = await editor.call<SynonymList>('PUT', path, { revision: 0, groups });
  expect(saved.body).toEqual({ revision: 1, groups });

  const [ofDocument, ofPair] = [await ask(asked[0]), await ask(asked[1])];
  expect(ofDocument).toMatchObject({ outcome: 'answered', response: itself.response });
  expect(ofPair).toMatchObject({ source: 'curated', response: '在前台登记。' });
});

test('a list is only replaced by an editor who has read it, and words must be findable', async () => {
  const { body: now } = await editor.call<SynonymList>('GET', path);
  const put = (body: object) => editor.call<ErrorBody & SynonymList>('PUT', path, body);
  expect((await put({ revision: now.revision + 1, groups: [] })).status).toBe(409);
  for (const groups of [[['one']], [['一样', '一样']], [['车', '班车']], [['!!', '??']]])
    expect([groups, (await put({ revision: now.revision, groups })).status]).toEqual([groups, 400]);
  const repeated = await put({ revision: now.revision, groups: [['VPN', 'vpn', '虚拟专用网']] });
  expect(repeated.body.groups).toEqual([['vpn', '虚拟专用网']]);
  expect((await editor.call<SynonymList>('GET', path)).body).toEqual(repeated.body);
});
