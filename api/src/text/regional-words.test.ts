import { expect, test } from '@jest/globals';
import { regionalWordsIn } from './regional-words.ts';

const named = (text: string) =>
  regionalWordsIn(text).map(({ from, to, others }) => [text.slice(from, to), others]);

test('names the words of Taiwan as the mainland does, the longest at each place', () => {
  expect(named('伺服器的连接埠')).toEqual([
    ['伺服器', expect.arrayContaining(['服务器'])],
    ['连接埠', expect.arrayContaining(['端口'])],
  ]);
});

test('matches the one listed single character as a word, and no other single character', () => {
  expect(named('是哪个埠')).toEqual([['埠', ['端口']]]);
  expect(named('一档节目')).toEqual([]);
});
