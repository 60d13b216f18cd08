import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Answerer, AnswerPiece } from '../answers/answerer.ts';
import type { ChatAnswer } from '../contract/chat.ts';
import type { Deletion } from '../contract/deletions.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type {
  KnowledgePair,
  KnowledgePairPage,
  UnansweredPage,
  UnansweredQuestion,
} from '../contract/knowledge.ts';
import type { DeskRecord } from '../contract/records.ts';
import { filesWith } from '../testing/files-with.ts';
import { givenPair } from '../testing/knowledge-calls.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { isEmbedded } from '../testing/test-database.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';

/** Finds an answer to the questions for which `finds` returns true. */
let finds: (question: string) => boolean = () => false;
const answerer: Answerer = {
  async *answer({ text }): AsyncGenerator<AnswerPiece> {
    const source = finds(text) ? 'document' : 'none';
    yield { kind: 'text', text: source === 'none' ? 'Nothing found.' : `About ${text}` };
    yield { kind: 'final', source, citations: [], suggestions: [] };
  },
};

let asker: Visitor;

const api = await startTestApi({ answerer });
const editor = await signedUp(api.url, 'editor', 'password-1');
afterAll(() => api.end());
beforeEach(() => {
  finds = () => false;
  asker = createVisitor(api.url);
});
/** Every test starts with an empty inbox. */
afterEach(async () => {
  for (const { id } of (await inbox()).questions) {
    await editor.call('POST', `/api/knowledge/unanswered/${id}/dismiss`);
  }
});

async function ask(text: string, who = asker): Promise<ChatAnswer> {
  const { status, body } = await who.call<ChatAnswer>('POST', '/api/chat', { text });
  if (status !== 200) throw new Error(`expected an answer, got ${status} ${JSON.stringify(body)}`);
  return body;
}

/**
 * A page of the inbox after sorting is complete: one call sorts for a limited time, which may not suffice on
 * a busy machine.
 */
async function inbox(query = '?limit=100'): Promise<UnansweredPage> {
  for (;;) {
    const wasSorted = await isSorted();
    const { body } = await editor.call<UnansweredPage>('GET', `/api/knowledge/unanswered${query}`);
    if (wasSorted) return body;
  }
}

async function isSorted(): Promise<boolean> {
  const [record, group] = await Promise.all([
    api.connection.collection('records').findOne({ inboxDue: true }),
    api.connection.collection('unanswered').findOne({ isDue: true }),
  ]);
  return record === null && group === null;
}

const counts = async () =>
  Object.fromEntries((await inbox()).questions.map(({ question, count }) => [question, count]));

const rate = (recordId: string, rating: number, who = asker) =>
  who.call('POST', '/api/feedback', { recordId, rating });

async function find(question: string): Promise<UnansweredQuestion> {
  const { questions } = await inbox();
  const found = questions.find((group) => group.question === question);
  if (!found) throw new Error(`expected ${question}, got ${JSON.stringify(questions)}`);
  return found;
}

const answerIt = (id: string, answer: string, who = editor, variants: string[] = []) =>
  who.call<{ pair: KnowledgePair } & ErrorBody>('POST', `/api/knowledge/unanswered/${id}/answer`, {
    answer,
    variants,
  });

const record = async (id: string, who = asker) =>
  (await who.call<DeskRecord>('GET', `/api/records/${id}`)).body;

async function erase(ids: string[], who = asker): Promise<string> {
  const { body } = await who.call<Deletion>('POST', '/api/delete_by_ids', { ids });
  if (body.undoToken === null) throw new Error(`expected a deletion, got ${JSON.stringify(body)}`);
  return body.undoToken;
}

describe('content of the inbox', () => {
  test('unanswered questions, similar ones grouped, most frequent first, without the asker', async () => {
    await ask('雪鸮望远镜的保修期是几年？');
    await ask('雪鴞望遠鏡的保修期是幾年', createVisitor(api.url));
    await ask('请问雪鸮望远镜保修期几年呢？', createVisitor(api.url));
    await ask('雪鸮望远镜怎么退货？');
    finds = () => true;
    await ask('雪鸮望远镜的价格是多少？');
    const { questions, total } = await inbox();
    expect(questions.map(({ question, count }) => [question, count])).toEqual([
      ['请问雪鸮望远镜保修期几年呢？', 3],
      ['雪鸮望远镜怎么退货？', 1],
    ]);
    expect(total).toBe(2);
    expect(Object.keys(questions[0]!).sort()).toEqual([
      'alike',
      'collections',
      'count',
      'id',
      'lastAskedAt',
      'notFound',
      'notHelpful',
      'question',
    ]);
  });

  test('separates questions that found nothing from answers rated as not helpful', async () => {
    await ask('雨燕打印机怎么换墨盒？');
    finds = () => true;
    const { recordId } = await ask('请问雨燕打印机怎么换墨盒');
    await rate(recordId, -1);
    const { recordId: other } = await ask('海雀音箱怎么配对？');
    await rate(other, -1);
    finds = () => false;
    await ask('夜莺台灯的保修期是多久？');

    const reasons = ({ questions }: UnansweredPage) =>
      questions.map(({ count, notFound, notHelpful }) => [count, notFound, notHelpful]);
    expect(reasons(await inbox())).toEqual([
      [2, 1, 1],
      [1, 1, 0],
      [1, 0, 1],
    ]);
    const notFound = await inbox('?limit=1&reason=not_found');
    expect(reasons(notFound)).toEqual([[2, 1, 1]]);
    expect(notFound.total).toBe(2);
    expect(reasons(await inbox(`?reason=not_found&cursor=${notFound.nextCursor}`))).toEqual([[1, 1, 0]]);
    expect(reasons(await inbox('?reason=not_helpful'))).toEqual([
      [2, 1, 1],
      [1, 0, 1],
    ]);
    const url = '/api/knowledge/unanswered';
    const wrong = [`${url}?reason=not_helpful&cursor=${notFound.nextCursor}`, `${url}?reason=other`];
    for (const call of wrong) expect((await editor.call('GET', call)).status).toBe(400);
  });

  test('a question that was rated down and finds nothing after a retry is listed as not found', async () => {
    finds = () => true;
    const { recordId } = await ask('信天翁背包有几种颜色？');
    await rate(recordId, -1);
    expect(await find('信天翁背包有几种颜色？')).toMatchObject({ notFound: 0, notHelpful: 1 });
    finds = () => false;
    await asker.call('POST', `/api/chat/${recordId}/retry`);
    expect(await find('信天翁背包有几种颜色？')).toMatchObject({ notFound: 1, notHelpful: 0 });
  });

  test('questions about different things stay apart, even if they sound similar', async () => {
    const apart = [
      'How do I reset the router X100?',
      'How do I reset the router X200?',
      '海鸥相机怎么退货',
      '海狸相机怎么退货',
      'Where can I park a bicycle at the station?',
      'Where can I park a caravan at the station?',
    ];
    for (const question of apart) await ask(question);
    expect(await counts()).toEqual(Object.fromEntries(apart.map((question) => [question, 1])));
  });

  test('a badly rated answer is added, and removed when the rating is withdrawn', async () => {
    finds = () => true;
    const { recordId } = await ask('渡渡鸟还活着吗');
    expect(await counts()).toEqual({});
    await rate(recordId, -1);
    expect(await counts()).toEqual({ 渡渡鸟还活着吗: 1 });
    await rate(recordId, 0);
    expect(await counts()).toEqual({});
    await rate(recordId, -1);
    await rate(recordId, 1);
    expect(await counts()).toEqual({});
  });

  test('a retry that finds an answer removes it', async () => {
    const { recordId } = await ask('极乐鸟住在哪里');
    expect(await counts()).toEqual({ 极乐鸟住在哪里: 1 });
    finds = () => true;
    expect((await asker.call('POST', `/api/chat/${recordId}/retry`)).status).toBe(200);
    expect(await counts()).toEqual({});
  });

  test('pages are contiguous, and a cursor is only valid for this list', async () => {
    const things = ['apples', 'violins', 'tractors', 'lamps', 'umbrellas'];
    for (const [n, thing] of things.entries())
      for (let times = 0; times <= n % 3; times += 1)
        await ask(`Who repairs ${thing}?`, createVisitor(api.url));
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: UnansweredPage = await inbox(`?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.questions.map(({ question }) => question));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(
      ['tractors', 'umbrellas', 'violins', 'lamps', 'apples'].map((thing) => `Who repairs ${thing}?`),
    );
    const pairs = Buffer.from(JSON.stringify(['pairs', 1, 2, 'x'])).toString('base64url');
    expect((await editor.call('GET', `/api/knowledge/unanswered?cursor=${pairs}`)).status).toBe(400);
  });
});

describe('actions on a group', () => {
  test('an answer creates a pair of all phrasings, and every asker gets it in the record', async () => {
    const other = createVisitor(api.url);
    const first = await ask('鹈鹕快递怎么改地址？');
    const second = await ask('请问鹈鹕快递改地址怎么改', other);
    const { id, alike } = await find('请问鹈鹕快递改地址怎么改');
    expect(alike).toEqual(['鹈鹕快递怎么改地址？']);
    const { status, body } = await answerIt(id, '在“我的订单”里改。', editor, ['鹈鹕能换地址吗']);
    expect(status).toBe(201);
    expect(body.pair).toMatchObject({
      question: '请问鹈鹕快递改地址怎么改',
      variants: ['鹈鹕能换地址吗', '鹈鹕快递怎么改地址？'],
      answer: '在“我的订单”里改。',
      isHandbook: false,
    });
    expect(await counts()).toEqual({});
    for (const [recordId, who] of [
      [first.recordId, asker],
      [second.recordId, other],
    ] as const)
      expect((await record(recordId, who)).answeredSince).toMatchObject({
        pairId: body.pair.id,
        answer: '在“我的订单”里改。',
      });
    expect((await answerIt(id, 'late')).status).toBe(404);
  });

  test('of two editors who answer concurrently, one creates the pair', async () => {
    const { recordId } = await ask('信天翁能飞多远');
    const { id } = await find('信天翁能飞多远');
    const replies = await Promise.all(['一', '二', '三', '四'].map((answer) => answerIt(id, answer)));
    const made = replies.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    for (const { status } of replies) expect([201, 404, 409]).toContain(status);
    const { body } = await editor.call<KnowledgePairPage>(
      'GET',
      `/api/knowledge/pairs?q=${encodeURIComponent('信天翁')}`,
    );
    expect(body.pairs.map(({ answer }) => answer)).toEqual([made[0]!.body.pair.answer]);
    expect((await record(recordId)).answeredSince?.answer).toBe(made[0]!.body.pair.answer);
  });

  test('a variant that another pair has is refused, and the group stays', async () => {
    await givenPair(editor, { question: '火烈鸟为什么是红的', answer: '吃虾' });
    await ask('火烈鸟几岁变红');
    const { id } = await find('火烈鸟几岁变红');
    expect((await answerIt(id, 'x', editor, ['火烈鸟为什么是红的？'])).status).toBe(409);
    expect(await counts()).toEqual({ 火烈鸟几岁变红: 1 });
  });

  test('a phrasing that is the question of another pair stays with that pair', async () => {
    await ask('鲣鸟快递怎么改地址？');
    await ask('请问鲣鸟快递改地址怎么改', createVisitor(api.url));
    const { id, alike } = await find('请问鲣鸟快递改地址怎么改');
    expect(alike).toEqual(['鲣鸟快递怎么改地址？']);
    await givenPair(editor, { question: '鲣鸟快递怎么改地址？', answer: '已有的答案' });
    const { status, body } = await answerIt(id, '在“我的订单”里改。');
    expect(status).toBe(201);
    expect(body.pair).toMatchObject({ question: '请问鲣鸟快递改地址怎么改', variants: [] });
  });

  test("if the answer of an editor's pair was rated badly, that pair is changed", async () => {
    const pair = await givenPair(editor, { question: '企鹅馆几点喂食', answer: '十点' });
    finds = () => true;
    const { recordId } = await ask('企鹅馆几点喂食？');
    await rate(recordId, -1);
    const { body } = await answerIt((await find('企鹅馆几点喂食？')).id, '十一点');
    expect(body.pair).toMatchObject({ id: pair.id, answer: '十一点' });
  });

  test('a dismissed question does not reappear, in any phrasing', async () => {
    await ask('孔雀开屏要多久？');
    const { id } = await find('孔雀开屏要多久？');
    expect((await editor.call('POST', `/api/knowledge/unanswered/${id}/dismiss`)).status).toBe(204);
    expect((await editor.call('POST', `/api/knowledge/unanswered/${id}/dismiss`)).status).toBe(404);
    await ask('孔雀开屏要多久', createVisitor(api.url));
    await ask('请问孔雀开屏要多久呢', createVisitor(api.url));
    expect(await counts()).toEqual({});
  });
});

describe('nothing of an asker remains after deletion', () => {
  test('erased questions leave, return after an undo, and are removed permanently by a purge', async () => {
    const one = await ask('雨燕睡觉吗');
    await ask('雨燕睡觉吗？', createVisitor(api.url));
    const alone = await ask('雨燕喝水吗 zqxjkvbp');
    expect(await counts()).toEqual({ '雨燕睡觉吗？': 2, '雨燕喝水吗 zqxjkvbp': 1 });
    if (isEmbedded) expect(await filesWith(api.dataDir, 'zqxjkvbp')).not.toEqual([]);
    const undoToken = await erase([one.recordId, alone.recordId]);
    expect(await counts()).toEqual({ '雨燕睡觉吗？': 1 });
    expect((await asker.call('POST', '/api/undo_delete', { undoToken })).status).toBe(200);
    expect(await counts()).toEqual({ '雨燕睡觉吗？': 2, '雨燕喝水吗 zqxjkvbp': 1 });
    const last = await erase([one.recordId, alone.recordId]);
    // Immediately, before the inbox is read.
    expect((await asker.call('POST', '/api/purge', { undoToken: last })).status).toBe(200);
    expect(await filesWith(api.dataDir, 'zqxjkvbp')).toEqual([]);
    expect(await counts()).toEqual({ '雨燕睡觉吗？': 1 });
  });

  test("a guest's questions stay when the account adopts them, and are deleted with the account", async () => {
    const asked = await ask('蜂鸟一分钟振翅多少次 wvutsrqp');
    await ask('犀鸟的喙有多重', createVisitor(api.url));
    await asker.signUp('adopter', 'password-5');
    await asker.signIn('adopter', 'password-5');
    expect((await record(asked.recordId)).question).toContain('蜂鸟');
    expect(await counts()).toEqual({ '蜂鸟一分钟振翅多少次 wvutsrqp': 1, 犀鸟的喙有多重: 1 });
    if (isEmbedded) expect(await filesWith(api.dataDir, 'wvutsrqp')).not.toEqual([]);
    const gone = await asker.call('DELETE', '/admin/account', { password: 'password-5' });
    expect(gone.status).toBe(200);
    expect(await filesWith(api.dataDir, 'wvutsrqp')).toEqual([]);
    expect(await counts()).toEqual({ 犀鸟的喙有多重: 1 });
  });

  test('the current owner of the record gets the answer', async () => {
    const asked = await ask('猫头鹰的脖子能转多少度');
    const { id } = await find('猫头鹰的脖子能转多少度');
    await asker.signUp('taker', 'password-6');
    await Promise.all([asker.signIn('taker', 'password-6'), answerIt(id, '270 度')]);
    expect((await record(asked.recordId)).answeredSince?.answer).toBe('270 度');
  });
});

describe('asking again', () => {
  const hidden = () => inbox('?limit=100&answerable=1');
  const again = async () => {
    const { body } = await editor.call<{ count: number }>('POST', '/api/knowledge/unanswered/ask-again');
    while ((await inbox()).askingAgain) await new Promise((resolve) => setTimeout(resolve, 20));
    return body.count;
  };
  const questionsOf = ({ questions }: UnansweredPage) => questions.map(({ question }) => question).sort();

  test('hides the questions that have an answer now, which can be put back', async () => {
    await ask('鲸鱼门票多少钱');
    await ask('雪橇犬训练学费');
    finds = (question) => question.startsWith('鲸鱼');

    expect(await again()).toBe(2);

    expect(questionsOf(await inbox())).toEqual(['雪橇犬训练学费']);
    const now = await hidden();
    expect([questionsOf(now), now.answerable]).toEqual([['鲸鱼门票多少钱'], 1]);
    // The number in the menu is that of the shown ones.
    expect((await editor.call('GET', '/api/knowledge')).body).toMatchObject({ unanswered: 1 });
    const { id } = now.questions[0]!;
    expect((await editor.call('POST', `/api/knowledge/unanswered/${id}/reopen`)).status).toBe(204);
    expect(questionsOf(await inbox())).toEqual(['雪橇犬训练学费', '鲸鱼门票多少钱']);
    expect((await editor.call('POST', '/api/knowledge/unanswered/nothing/reopen')).status).toBe(404);
  });

  test('a hidden question that is asked without an answer once more is shown again', async () => {
    await ask('热气球票价是多少');
    finds = () => true;
    await again();
    expect(questionsOf(await inbox())).toEqual([]);
    finds = () => false;

    await ask('热气球票价是多少');

    expect(questionsOf(await inbox())).toEqual(['热气球票价是多少']);
    expect((await hidden()).questions).toEqual([]);
  });

  test('questions whose answer was rated down are not asked again', async () => {
    finds = () => true;
    const { recordId } = await ask('滑翔伞怎样报名');
    await asker.call('POST', '/api/feedback', { recordId, rating: -1 });
    expect(await again()).toBe(0);
    expect(questionsOf(await inbox())).toEqual(['滑翔伞怎样报名']);
  });
});
