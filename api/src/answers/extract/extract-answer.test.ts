import { expect, test } from '@jest/globals';
import type { Language } from '../../contract/language.ts';
import { passagesOf } from '../index/passages-of.ts';
import { analyseQuestion } from '../retrieve/analyse-question.ts';
import { extractAnswer } from './extract-answer.ts';

/** The answer from the passages of documents, in this order. */
function answer(asked: string, language: Language, ...texts: string[]) {
  const passages = texts.flatMap((text, at) => {
    const document = { _id: `${at}`, owner: '', name: `${at}`, title: 'T', language, edition: '', text };
    return [...passagesOf({ ...document, asks: new Map() })].map(({ passage }) => passage);
  });
  const units = analyseQuestion(asked, language).units.map((unit) => ({
    ...unit,
    passages: 1,
    weight: unit.share,
    lookups: [],
  }));
  const answered = extractAnswer(passages.slice(0, 3), units, asked);
  for (const { quote, start, end } of answered.citations)
    expect(texts.map((text) => text.slice(start, end))).toContain(quote);
  return answered;
}

const parcels = `## Parcels

${'The post room is on the ground floor, next to the canteen, and is run by two colleagues. '.repeat(4)}

Parcels up to 20 kg are kept for ten days. After that they go back to the sender.

${'Letters are sorted twice a day and put into the trays of the departments by the porter. '.repeat(6)}
`;

test('the sentence that answers comes first and is marked, the rest of the section is folded', () => {
  const { text, citations } = answer('How long are parcels kept?', 'en', parcels);
  expect(text).toMatch(/^\*\*Parcels up to 20 kg are kept for ten days\*\*\. After that/);
  expect(text).not.toContain('ground floor');
  expect(citations[0]!.restOfSection).toContain('ground floor');
  expect(citations[0]!.restOfSection).toContain('Letters are sorted');
  expect(citations[0]!.restOfSection).not.toContain('ten days');
});

test.each<[string, Language, string, string]>([
  [
    '超过期限的货物还能退吗？',
    'zh',
    '## 退货\n\n仓库周一至周五收货。收到后十天内都可以寄回；超过期限的货物不再退款，也不退回。\n',
    '收到后十天内都可以寄回；**超过期限的货物不再退款，也不退回**',
  ],
  [
    'Can a late application be accepted?',
    'en',
    '## Dates\n\nThe office is in the hall. Applications are taken until May. Afterwards no late application can be accepted.\n',
    'Applications are taken until May. **Afterwards no late application can be accepted**',
  ],
])(
  'a clause or sentence that continues the one before is not shown without it: %s',
  (asked, language, text, shown) => {
    expect(answer(asked, language, text).text).toContain(shown);
  },
);

test('a section that says nothing more of the question is not shown', () => {
  const other = '## Courier\n\nParcels for the branch are kept at the counter.\n';
  expect(answer('How long are parcels kept?', 'en', parcels, other).citations).toHaveLength(1);
  const more = '## Courier\n\nParcels for the branch cost 4 euros.\n';
  const { text, citations } = answer('How long are parcels for the branch kept?', 'en', parcels, more);
  expect(citations).toHaveLength(2);
  expect(text).toMatch(/^\*\*Parcels\*\*[\s\S]+\*\*Courier\*\*/);
});

const rooms = `| 房间 | 楼层 | 面积 | 座位 | 设备 | 租金 |
|---|---|---|---|---|---|
| 松厅 | 3 | 40 平方米 | 20 | 投影仪 | 300 元 |
| 竹厅 | 4 | 60 平方米 | 35 | 白板 | 450 元 |
| 梅厅 | 5 | 80 平方米 | 50 | 音响 | 600 元 |
| 兰厅 | 6 | 90 平方米 | 60 | 音响 | 700 元 |
`;

test('of a wide table the row is shown with its name and the column that was asked for', () => {
  const { text, citations } = answer('竹厅的租金', 'zh', rooms);
  expect(text).toContain('| 竹厅 |');
  expect(text).toContain('**450 元**');
  expect(text).not.toMatch(/白板|松厅|60 平方米/);
  expect(citations[0]!.restOfRow).toContain('设备 白板');
  expect(citations[0]!.quote).toContain('白板');
});

test('a cell that repeats or negates the name of a column does not narrow the rows', () => {
  const fees = `| 地区 | 免费停车 |
|---|---|
| 东区 | 消费满 50 元 |
| 西区 | 消费满 80 元 |
| 南区、北区 | 不免费停车 |
`;
  const { text } = answer('怎样才能免费停车', 'zh', fees);
  expect(text).toContain('满 50 元');
  expect(text).toContain('不免费停车');
});

test('a row does not replace a sentence that says more of the question', () => {
  const mixed = `## 会议室

| 房间 | 楼层 |
|---|---|
| 松厅 | 3 |
| 竹厅 | 4 |
| 梅厅 | 5 |
| 兰厅 | 6 |

竹厅周末不开放预约，其他会议室周末可以预约半天。
`;
  expect(answer('竹厅周末可以预约吗', 'zh', mixed).text).toMatch(/^\*\*竹厅周末不开放预约/);
});

test('a list of steps stays whole, and its citation stands after it', () => {
  const steps = `## 报修

报修由前台受理，工作日当天处理。

1. 打开报修页面。
2. 选择楼层和房间。
3. 写明故障并提交。
`;
  const { text } = answer('怎么报修', 'zh', steps);
  expect(text).toMatch(/1\. 打开报修页面。\n2\. 选择楼层和房间。\n3\. 写明故障并提交。\[1\]$/);
});

test.each<[string, string]>([
  [
    'Who runs the mill of Ambry, and who runs the mill of Corvale?',
    '# Mill of Ambry\n\n## Corvale\n\nThe mill of Corvale is run by Dahl.\n\n## Ambry\n\nThe mill of Ambry is run by Ferro.\n',
  ],
  [
    '阿姆磨坊由谁管理？科瓦磨坊由谁管理？',
    '## 阿姆磨坊与科瓦磨坊\n\n科瓦磨坊由 Dahl 管理。每年春天检修一次，检修时停止接待参观的人。阿姆磨坊由 Ferro 管理。\n',
  ],
])('a title that names one of several things asked for does not answer it: %s', (asked, text) => {
  const { text: said } = answer(asked, asked.startsWith('Who') ? 'en' : 'zh', text);
  expect(said).toContain('Dahl');
  expect(said).toContain('Ferro');
});

test('a question of two parts is answered by both places of a section', () => {
  const long = '这一条是关于仓库日常管理的说明，与其他部门无关。'.repeat(12);
  const text = `## 仓库\n\n月底盘点由财务部负责。\n\n${long}\n\n叉车钥匙放在值班室。\n`;
  const said = answer('盘点由谁负责？叉车钥匙在哪里？', 'zh', text).text;
  expect(said).toContain('财务部');
  expect(said).toContain('值班室');
});

const fares = `## 票价

| 线路 | 起点 | 终点 | 里程 | 时长 | 班次 | 首班 | 末班 | 成人票 | 儿童票 | 车型 | 站台 |
|---|---|---|---|---|---|---|---|---|---|---|---|
| 101 | 东山 | 码头 | 12 公里 | 35 分钟 | 20 | 6:10 | 21:40 | 4 元 | 2 元 | 大巴 | A3 |
| 102 | 东山 | 机场 | 38 公里 | 60 分钟 | 12 | 5:30 | 22:00 | 18 元 | 9 元 | 大巴 | B1 |
| 103 | 西门 | 机场 | 41 公里 | 70 分钟 | 10 | 5:45 | 21:30 | 20 元 | 10 元 | 中巴 | B2 |
| 104 | 西门 | 码头 | 9 公里 | 25 分钟 | 30 | 6:00 | 23:00 | 3 元 | 1.5 元 | 中巴 | A1 |
`;

const hours = `## Opening hours

| Branch | Weekdays | Saturday | Sunday |
|---|---|---|---|
| Harbour | 8:00–18:00 | 9:00–14:00 | closed |
| Mill Lane | 9:00–19:00 | 9:00–16:00 | closed |
| Airport | 6:00–22:00 | 6:00–22:00 | 7:00–21:00 |
| Old Town | 10:00–18:00 | 10:00–13:00 | closed on Sunday |
`;

const facts = `| 项目 | 内容 |
|---|---|
| 押金 | 每间 200 元，退房当天退回 |
| 入住时间 | 14:00 以后 |
| 退房时间 | 12:00 以前 |
| 宠物 | 不可以携带 |
| 早餐 | 7:00–9:30，二楼 |
`;

/** Lines of a table in an answer, without the header. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);

test.each([
  ['zh', '102 路末班几点', fares, '102', '**22:00**', '38 公里'],
  ['zh', '东山到机场的儿童票多少钱', fares, '102', '**9 元**', '大巴'],
  ['zh', '宠物可以携带吗', facts, '宠物', '不可以携带', null],
  ['zh', '押金什么时候退', facts, '押金', '退房当天退回', null],
  ['en', 'When is Mill Lane open on Saturday?', hours, 'Mill Lane', '9:00–16:00', null],
] as const)('%s: one row answers "%s"', (language, asked, table, name, cell, folded) => {
  const { text, citations } = answer(asked, language, table);
  const [line, ...others] = linesOf(text);
  expect(others).toEqual([]);
  expect(line).toContain(name);
  expect(line).toContain(cell);
  if (folded === null) return;
  expect(text).not.toContain(folded);
  expect(citations[0]!.restOfRow).toContain(folded);
});

test('of rows that share words with the question the one that says all is shown, of several that say as much all', () => {
  const goods = `| Item | Size | Price |
|---|---|---|
| Rain jacket Lofoten | S | 89 |
| Rain jacket Lofoten | M | 91 |
| Rain jacket Lofoten children | M | 59 |
| Rain trousers Lofoten | M | 49 |
`;
  expect(linesOf(answer('price of the rain jacket Lofoten children M', 'en', goods).text)).toHaveLength(1);
  const both = linesOf(answer('price of the rain jacket Lofoten for adults', 'en', goods).text);
  expect(both.map((line) => /\d+/.exec(line)?.[0])).toEqual(['89', '91', '59']);
});

test('rows that do not fit are folded below the columns', () => {
  const rows = Array.from({ length: 30 }, (_, at) => `| 螺丝 M${at} | 仓库 ${at} 号架 | 不锈钢，表面钝化 |`);
  const table = `| 名称 | 位置 | 材料 |\n|---|---|---|\n${rows.join('\n')}\n| 垫片 | 仓库 99 号架 | 橡胶 |\n`;
  const { text, citations } = answer('螺丝放在哪里', 'zh', table);
  expect(text.length).toBeLessThan(500);
  expect(linesOf(text).length).toBeGreaterThan(2);
  expect(citations.map(({ restOfSection = '' }) => restOfSection).join()).toMatch(/\| 名称 \|[\s\S]*M1\d/);
});

test('a question about a column of a wide table gets this column of all rows', () => {
  const { text } = answer('各线路的票价', 'zh', fares.replace('## 票价', '## 客运'));
  expect(text).not.toContain('站台');
  expect(linesOf(text)).toHaveLength(4);
  for (const price of ['4 元', '18 元', '20 元', '3 元']) expect(text).toContain(price);
});

test.each([
  [
    'zh',
    '消费满多少免停车费',
    '| 楼 | 免停车费 |\n|---|---|\n| 一楼超市 | 满 60 元 |\n| 三楼影院 | 满 100 元 |\n| 四楼书店 | 不免停车费 |\n| 五楼餐厅 | 满 80 元 |\n',
    '满 60 元',
  ],
  [
    'en',
    'Which rooms have free Wi-Fi?',
    '| Room | Free Wi-Fi |\n|---|---|\n| Garden | 100 Mbit/s |\n| Attic | no free Wi-Fi |\n| Cellar | 50 Mbit/s |\n| Tower | 20 Mbit/s |\n',
    '50 Mbit/s',
  ],
] as const)(
  '%s: a cell that negates the name of its column does not narrow "%s"',
  (language, asked, table, other) => {
    expect(answer(asked, language, table).text).toContain(other);
  },
);

test.each([
  [
    'en',
    'Does the Old Town branch accept parcels on Sunday?',
    `${hours}\nThe Old Town branch accepts parcels on Sunday at the side entrance.\n`,
    /^The Old Town|^\*\*The Old Town branch accepts parcels/,
  ],
  [
    'zh',
    '103 路可以带自行车吗',
    `${fares}\n103 路可以带折叠自行车，其他线路不可以。\n`,
    /^\*\*103 路可以带折叠自行车/,
  ],
] as const)('%s: a sentence that says more than a row answers "%s"', (language, asked, text, start) => {
  expect(answer(asked, language, text).text).toMatch(start);
});

test('a sentence of another section that says more comes before a row', () => {
  const note = '## 行李\n\n机场大巴 102 路每人可以免费带一件行李。\n';
  expect(answer('102 路可以免费带几件行李', 'zh', fares, note).text.indexOf('一件行李')).toBeLessThan(60);
});

const policy = `## Working from home

Everyone may work from home. The team agrees on its days in spring. Requests go to the team lead, who answers within a week. Equipment is lent by the IT desk. A second screen needs a signature. Chairs are not lent. Travel between home and office is not paid.
`;

test.each([
  ['en', 'Who lends the equipment?', policy, /^\*\*Equipment is lent by the IT desk\*\*\./, 'Travel'],
  [
    'zh',
    '年会的场地谁负责',
    '## 年会\n\n年会每年一月举行。场地由行政部负责。节目由各部门报名。奖品由工会采购。',
    /^\*\*场地由行政部负责\*\*。/,
    '一月举行',
  ],
] as const)('%s: the sentence that answers "%s" comes first', (language, asked, text, start, other) => {
  const { text: said, citations } = answer(asked, language, text);
  expect(said).toMatch(start);
  expect(`${said}${citations[0]!.restOfSection ?? ''}`).toContain(other);
});

test('of a frequently asked question the first sentence of its answer is marked', () => {
  const faq =
    '## 可以改签吗？\n\n可以，开车前两小时免费改签一次。之后收取票价的一成。\n\n## 可以退票吗？\n\n开车前一天可以退票。\n';
  const { text, citations } = answer('可以改签吗', 'zh', faq);
  expect(text).toMatch(/^(?:\*\*)?可以，开车前两小时免费改签一次/);
  expect(citations).toHaveLength(1);
});

const minutes = `## Minutes

1. Roof. The leak was found last week and a company has been called. The roofer comes on 3 May. Until then the attic stays closed. Keys are kept by the porter.
2. Garden. The hedge is cut in autumn. New benches were ordered. They arrive in June. The gate squeaks. Someone will oil it.
3. Party. The summer party is on 12 July. Drinks are bought by Ms Hale. Music is played by the school band. Neighbours are invited by letter. Tables are borrowed.
`;

test('of minutes the item that answers is shown alone, with its sentence marked', () => {
  const { text, citations } = answer('When does the roofer come?', 'en', minutes);
  expect(text).toContain('**The roofer comes on 3 May**');
  const third = minutes.slice(minutes.indexOf('3. Party'));
  const party = answer('Who buys the drinks for the party?', 'en', third).text;
  expect(party).toMatch(/^3\. Party/);
  expect(party).toContain('**Drinks are bought by Ms Hale**');
  expect(citations).toHaveLength(1);
});

test('a step that answers is marked in the whole list', () => {
  const steps = '## 领用\n\n1. 在系统里填领用单。\n2. 主管在一天内审批。\n3. 凭单号到仓库领取。\n';
  const { text } = answer('主管多久审批', 'zh', steps);
  expect(text).toContain('1. 在系统里填领用单');
  expect(text).toContain('**主管在一天内审批**');
  expect(answer('怎么领用', 'zh', steps).text).not.toContain('**');
});

test('a nested item is shown below the item that it belongs to', () => {
  const cities = ['Aldern', 'Brook', 'Cove', 'Dale', 'Elm', 'Fold'];
  const list = cities
    .map(
      (city, at) =>
        `- Office in ${city}:\n  - Reception opens at ${at + 7}:00 and the lift is behind it.\n  - Parking on level ${at}, with a ticket from the machine.`,
    )
    .join('\n');
  const { text } = answer('When does the reception in Elm open?', 'en', `## Offices\n\n${list}\n`);
  expect(text).toMatch(/^- Office in Elm:\n+ *- \*\*Reception opens at 11:00/);
  expect(text).not.toContain('Aldern');
});

test('emphasis of the document stays whole', () => {
  const text =
    '## 故障\n\n**打不开门。** 请检查电池，电量低时指示灯为红色。**指纹失灵。** 请擦干手指后再试。\n';
  const said = answer('指纹失灵怎么处理', 'zh', text).text;
  expect(said.match(/\*\*/g)!.length % 2).toBe(0);
  expect(said).not.toMatch(/\*\*\s*。|\*\* ?\*\*/);
});

test.each<[string, Language, string, string]>([
  [
    '干了十二年能休多少年假',
    'zh',
    '## 年假\n\n年假按工龄计算，能休多少天以人事部通知为准。工龄已满1年不满10年的，休5天；已满10年不满20年的，休10天；已满20年的，休15天。\n',
    '**已满10年不满20年的，休10天**',
  ],
  [
    'How much leave do I get after twelve years?',
    'en',
    '## Leave\n\nLeave is agreed with the manager. Up to 10 years: 20 days. More than 10 and up to 20 years: 25 days. Over 20 years: 30 days.\n',
    '**More than 10 and up to 20 years: 25 days**',
  ],
  [
    'What does a 12 kg parcel to Denmark cost?',
    'en',
    '## Tariff\n\n| Country | Weight | Price |\n|---|---|---|\n| Denmark | 5-10 kg | 20.40 |\n| Denmark | 10-15 kg | 28.50 |\n| Denmark | 15-20 kg | 33.12 |\n| Norway | 10-15 kg | 35.00 |\n',
    '| Denmark | 10-15 kg |',
  ],
])('the interval that contains the amount of the question answers: %s', (asked, language, text, shown) => {
  const answered = answer(asked, language, text).text;
  expect(answered).toContain(shown);
  expect(answered).not.toMatch(/15-20 kg|5-10 kg|Norway/);
});
