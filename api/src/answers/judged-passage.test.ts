import { afterAll, expect, test } from '@jest/globals';
import { createLog } from '../http/create-log.ts';
import { openKnowledgeStore } from '../testing/knowledge-store.ts';
import { openAnswers } from './open-answers.ts';

const store = await openKnowledgeStore();
afterAll(() => store.end());

const prices =
  '| 项目 | 适用人群 | 单价(元) | 有效期 | 开放时段 | 备注 |\n| --- | --- | --- | --- | --- | --- |\n| 单次游泳票 | 成人 | 48 | 当日 | 周一至周五 06:30-21:30 | 出馆即失效 |\n| 单次游泳票 | 学生 | 28 | 当日 | 周一至周五 06:30-21:30 | 需出示学生证 |\n| 周末游泳票 | 成人 | 60 | 当日 | 周六周日 08:00-22:00 | 法定假日同价 |\n| 十次游泳卡 | 不限 | 398 | 购买之日起 6 个月 | 全部开放时段 | 可两人共用 |\n| 月卡 | 成人 | 320 | 30 天 | 全部开放时段 | 不可转让 |\n| 年卡 | 成人 | 2680 | 12 个月 | 全部开放时段 | 可停卡一次最长 60 天 |\n| 家庭年卡 | 两大一小 | 5200 | 12 个月 | 全部开放时段 | 孩子须满 4 周岁 |\n| 羽毛球场 | 按片场 | 50/小时 | 当场 | 周一至周五 09:00-17:00 | 闲时 |\n| 羽毛球场 | 按片场 | 90/小时 | 当场 | 周一至周五 17:00-22:00 及周末 | 忙时 |\n| 乒乓球台 | 按台 | 20/小时 | 当场 | 每天 09:00-21:00 | 球拍租借 5 元一副 |\n| 私教课 | 不限 | 300/课时 | 60 天内用完 | 预约 | 须提前 24 小时取消 |\n| 储物柜租用 | 会员 | 30/月 | 按月 | 随馆开放 | 押金 100 元 |\n| 毛巾租借 | 不限 | 3/条 | 当日 | 随馆开放 | 遗失照价赔偿 25 元 |\n| 停车 | 不限 | 前 2 小时免费 | 之后 5 元/小时 | 24 小时 | 凭小票在前台盖章 |\n';
const refunds =
  '# Refunds\n\nRefunds go to the original means of payment 5 to 8 working days after the warehouse has checked the goods. Gift card purchases are refunded as store credit only.\nDelivery charges are reimbursed only when an article was faulty or wrong.\n';

const guide =
  '# Repairs\n\nNovak is the plumber of the house and comes when radiators leak; call 0117 496 0212.\n\n# Rubbish\n\nRubbish is collected by the council, and collected rubbish is not sorted.\n\n# Bins\n\nThe bins are emptied and rubbish is collected on Tuesdays, glass on request.\n';

interface Document {
  title: string;
  language: 'zh' | 'en';
  text: string;
}

/** Titles and quotes that a desk with these documents cites, and whether it is an answer. */
async function ask(text: string, language: 'zh' | 'en', documents: readonly Document[]) {
  const { db } = store.models.documents;
  const desk = await openAnswers(db, { handbook: true, embeddings: null }, createLog('silent'));
  for (const one of documents) {
    const document = { _id: one.title, owner: '', ...one };
    if (await desk.models.documents.exists({ _id: one.title })) continue;
    const stored = { source: 'upload', type: 'text', status: 'ready', createdAt: new Date() } as const;
    await desk.models.documents.create({ ...document, ...stored });
    await desk.index.put(document);
  }
  await desk.embeddings.finish();
  const question = { text, language, owner: 'guest:1', history: [] };
  for await (const piece of desk.answerer.answer(question, new AbortController().signal)) {
    if (piece.kind !== 'final') continue;
    await desk.embeddings.stop();
    return {
      titles: piece.citations.map(({ title }) => title),
      quotes: piece.citations.map(({ quote }) => quote).join('\n'),
      isAnswer: piece.source === 'document',
    };
  }
  throw new Error('expected a final piece');
}

test('an answer quotes the passage that was judged to answer, not one that is nearer in meaning', async () => {
  const { titles } = await ask('储物柜押金', 'zh', [
    { title: '场馆价目', language: 'zh', text: prices },
    { title: 'Refunds', language: 'en', text: refunds },
  ]);
  expect(titles).toEqual(['场馆价目']);
});

test('a passage with the time that was asked for comes before a better one without it, and a telephone number needs no word for it', async () => {
  const documents = [{ title: 'Elm Court', language: 'en' as const, text: guide }];
  const collected = await ask('When is rubbish collected?', 'en', documents);
  expect(collected).toMatchObject({ isAnswer: true, quotes: expect.stringContaining('Tuesdays') });
  const number = await ask("What is the plumber's phone number?", 'en', documents);
  expect(number).toMatchObject({ isAnswer: true, quotes: expect.stringContaining('0117 496 0212') });
  expect(await ask("What is the electrician's phone number?", 'en', documents)).toMatchObject({
    isAnswer: false,
  });
});

test('the passage whose words are nearer to all of the question comes before one that says one of them', async () => {
  const documents = [
    {
      title: 'Money and moving',
      language: 'en' as const,
      text: '# Money\n\nMoney is never kept in the office; money found in the laundry is handed to the caretaker.\n\n# Deposits\n\nTenants are refunded their deposit two weeks after moving out.\n',
    },
    {
      title: '钱款与押金',
      language: 'zh' as const,
      text: '# 钱款\n\n办公室不存放钱，洗衣房捡到的钱交给管理员。\n\n# 押金\n\n租户搬离两周后退还押金。\n',
    },
  ];
  const english = await ask('How do I get my money back when I leave the flat?', 'en', documents);
  expect(english.quotes).toMatch(/^Tenants are refunded/);
  const chinese = await ask('房子不租了钱什么时候还我', 'zh', documents);
  expect(chinese.quotes).toMatch(/^租户搬离两周后/);
});
