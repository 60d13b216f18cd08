import { expect, test } from '@jest/globals';
import { formAsked } from './form-asked.ts';

test.each([
  ['早餐多少钱', '早餐 7 点开始', '早餐每份 8 元'],
  ['财务部的电话是多少？', '财务部在二楼', '财务部分机 8021'],
  ['家用宽带发邮件走几号端口？', '只能发 1 封', '消息递交端口（587）'],
  ['jessie 是哪一年发布的？', 'Debian 8 jessie', 'Debian 8 jessie（2015 年发布）'],
  ['这要多久', '请在 3 号楼等', '三个工作日之内'],
  ['会议室有几间', '会议室很大', '会议室共 6 间'],
  ['What does a seat cost?', 'A seat has 4 legs', 'A seat is €12'],
  ['Which kernel version is needed?', 'the kernel is needed', 'since Linux 2.6.30'],
  ['How long does it take?', 'It takes room 12', 'It takes two working days'],
  ['How many virtual consoles are there?', 'virtual consoles are there', 'there are six switchable consoles'],
])('%s is not told by «%s», and by «%s»', (question, other, telling) => {
  const form = formAsked(question)!;
  expect(form.test(other)).toBe(false);
  expect(form.test(telling)).toBe(true);
});

test('what has no form of its own asks for none', () => {
  for (const question of ['怎样删除会话？', 'Who approves it?', '为什么'])
    expect(formAsked(question)).toBeNull();
});
