import { expect, test } from '@jest/globals';
import { analyseQuestion } from './analyse-question.ts';
import { followUpOf, needsContext } from './follow-up.ts';
import type { Retrieval } from './retrieve.ts';

const turn = (question: string) => ({ question, answer: '…' });

test.each([
  ['那英文版呢？', '怎样导出会话记录？', 'zh'],
  ['它要多久？', '怎样恢复已删除的会话？', 'zh'],
  ['为什么？', '注册可以关闭吗？', 'zh'],
  ['英文版呢？', '怎样导出会话记录？', 'zh'],
  ['and on Windows?', 'How do I install it on Linux with Docker?', 'en'],
  ['how long does it take?', 'How do I import an archive of records?', 'en'],
] as const)('%s depends on the question before it', (text, before, language) => {
  const followUp = followUpOf(text, language, [turn(before)]);
  expect(followUp?.before).toBe(before);
  expect(followUp?.inContext).toContain(before);
  expect(followUp?.inContext).toContain(text);
});

test.each([
  ['怎样把一个联系人的全部问答记录导出为表格文件？', 'zh'],
  ['Is it possible to export the records of one contact as a CSV table?', 'en'],
  ['Which records are those that were rated down by their asker last month?', 'en'],
] as const)('%s is complete', (text, language) => {
  expect(followUpOf(text, language, [turn('怎样接入语言模型？')])).toBeNull();
});

test('without an earlier question there is no context', () => {
  expect(followUpOf('那英文版呢？', 'zh', [])).toBeNull();
});

test('several follow-ups in a row refer to the first question', () => {
  const history = [turn('怎样导出会话记录？'), turn('那英文版呢？')];
  expect(followUpOf('它要多久？', 'zh', history)).toEqual({
    before: '怎样导出会话记录？，那英文版呢？',
    inContext: '怎样导出会话记录？，那英文版呢？，它要多久？',
  });
});

/** A retrieval whose best passage is `id`. */
function found(id: string, isEnough: boolean): Retrieval {
  const passage = { _id: id, title: '', place: '', ways: [], tableHead: '', text: '' };
  return {
    text: '',
    passages: [passage],
    outcome: isEnough ? 'answered' : 'nothing',
    isHeading: false,
    units: [],
  } as never;
}

test('a question whose best passage is the same alone and in context does not need the context', async () => {
  const before = async () => found('same', true);
  expect(await needsContext(found('same', false), found('same', true), before)).toBe(false);
  expect(await needsContext(found('own', false), found('same', true), before)).toBe(true);
});

test('only the last complete question and those after it are its context', () => {
  const history = [
    turn('怎样导出会话记录为表格文件？'),
    turn('怎样邀请一位同事加入知识库？'),
    turn('那英文版呢？'),
  ];
  expect(followUpOf('它要多久？', 'zh', history)?.before).toBe('怎样邀请一位同事加入知识库？，那英文版呢？');
});

test('of a long conversation the latest questions count', () => {
  const short = ['那英文版呢？', '为什么？', '要多久？', '收费吗？'].map(turn);
  const history = [turn('怎样导出会话记录为表格文件？'), turn('那手机上呢？'), ...short];
  expect(followUpOf('它呢？', 'zh', history)?.before).toBe('那英文版呢？，为什么？，要多久？，收费吗？');
});

test('a question that is the heading of a passage does not need its context', async () => {
  const before = async () => found('other', true);
  const alone = found('own', false);
  expect(await needsContext(alone, found('other', true), before)).toBe(true);
  expect(await needsContext({ ...alone, isHeading: true }, found('other', true), before)).toBe(false);
});

/** A retrieval for a question whose best passage has this text. */
function foundFor(question: string, id: string, text: string, margin: number): Retrieval {
  const passage = { _id: id, title: '', place: '', ways: [], tableHead: '', text };
  const units = analyseQuestion(question, 'en').units.map((unit) => ({ ...unit, weight: unit.share }));
  return {
    text: question,
    passages: [passage],
    outcome: margin >= 0 ? 'answered' : 'nothing',
    isHeading: false,
    margin,
    units,
  } as never;
}

test.each([
  // No passage says a word of these.
  ['Do dogs fly?', 'The lamp is guaranteed for two years.', false],
  ['停车免费吗？', '台灯保修两年。', false],
  // The earlier passage lacks a word.
  ['Is the lamp waterproof?', 'The lamp is guaranteed for two years.', false],
  ['and a waterproof lamp?', 'The lamp is guaranteed for two years.', true],
  ['and parking?', 'The lamp is guaranteed for two years.', false],
  ['那停车呢？', '台灯保修两年。', false],
  ['台灯呢？', '台灯保修两年。', true],
  // It says the words in different places.
  ['Is the lamp waterproof?', 'The lamp has two bulbs. The bag is waterproof.', false],
  ['Is the lamp waterproof?', 'The bag is for travelling. The lamp is waterproof.', true],
  ['台灯防水吗？', '台灯有两个灯泡。提包防水。', false],
  // Without a content word of its own a question is about the earlier one.
  ['how long?', 'The lamp is guaranteed for two years.', true],
  ['为什么？', '台灯保修两年。', true],
])('whether "%s" depends on a question that "%s" answers: %s', async (question, earlier, depends) => {
  const alone = foundFor(question, 'own', 'Our office has moved.', -1);
  const inContext = foundFor(question, 'earlier', earlier, 3);
  expect(await needsContext(alone, inContext, async () => inContext)).toBe(depends);
});
