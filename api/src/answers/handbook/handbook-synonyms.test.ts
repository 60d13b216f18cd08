import { expect, test } from '@jest/globals';
import { readSynonyms } from './read-handbook.ts';

test('a heading gets the synonyms of its words, without stop words', () => {
  const synonymsOf = readSynonyms('delete | get rid of\nconversation | chat\n', 'en');
  expect(synonymsOf('How do I delete conversations?').split(' ')).toEqual(
    expect.arrayContaining(['delete', 'rid', 'conversation', 'chat']),
  );
  expect(synonymsOf('How do I delete conversations?').split(' ')).not.toContain('of');
  expect(synonymsOf('Who can see records?')).toBe('');
});

test('in Chinese words are found within others, single characters are not', () => {
  const synonymsOf = readSynonyms('删除 | 抹掉 | 删', 'zh');
  expect(synonymsOf('怎样刪除会话？')).toContain('抹掉');
  expect(synonymsOf('删节号是什么？')).toBe('');
});
