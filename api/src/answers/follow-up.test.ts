import { expect, test } from '@jest/globals';
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
  return { passages: [passage], isEnough, isHeading: false, units: [] } as never;
}

test('a question whose best passage is the same alone and in context does not need the context', async () => {
  const before = async () => found('same', true);
  expect(await needsContext(found('same', false), found('same', true), before)).toBe(false);
  expect(await needsContext(found('own', false), found('same', true), before)).toBe(true);
});
