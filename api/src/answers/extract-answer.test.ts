import { expect, test } from '@jest/globals';
import type { Language } from '../contract/language.ts';
import { analyseQuestion } from './analyse-question.ts';
import { extractAnswer } from './extract-answer.ts';
import { passagesOf } from './passages-of.ts';

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

test('a question of two parts is answered by both places of a section', () => {
  const long = '这一条是关于仓库日常管理的说明，与其他部门无关。'.repeat(12);
  const text = `## 仓库\n\n月底盘点由财务部负责。\n\n${long}\n\n叉车钥匙放在值班室。\n`;
  const said = answer('盘点由谁负责？叉车钥匙在哪里？', 'zh', text).text;
  expect(said).toContain('财务部');
  expect(said).toContain('值班室');
});
