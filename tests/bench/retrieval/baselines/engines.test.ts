import { expect, test } from '@jest/globals';
import { bigramsOf } from './bigrams.ts';
import type { SearchedPassage } from './engine.ts';
import { createFts5 } from './fts5.ts';
import { createMiniSearch } from './mini-search.ts';

const passages: SearchedPassage[] = [
  { id: 'backup', language: 'zh', heading: '怎样备份数据？', text: '复制整个数据目录到安全的地方。' },
  { id: 'password', language: 'zh', heading: '怎样修改密码？', text: '填写当前密码和新密码。' },
  {
    id: 'copy',
    language: 'en',
    heading: 'How do I back up?',
    text: 'Copy the whole folder to a safe place.',
  },
  { id: 'sign-in', language: 'en', heading: 'How do I sign in?', text: 'Type your user name and password.' },
];

const engines = [
  createMiniSearch(passages, 'bigrams'),
  createFts5(passages, 'trigram'),
  createFts5(passages, 'bigrams'),
];

test.each(engines)('$name finds Chinese and English, and keeps to a language', (engine) => {
  expect(engine.search('修改密码要怎么做', 'zh')[0]?.id).toBe('password');
  expect(engine.search('where is a safe place for the folder', 'en')[0]?.id).toBe('copy');
  expect(engine.search('password', 'zh').map(({ id }) => id)).not.toContain('sign-in');
  expect(engine.search('password', null).map(({ id }) => id)).toContain('sign-in');
});

test('a question of nothing but marks finds nothing and breaks nothing', () => {
  for (const engine of engines) expect(engine.search('"*?-', 'en')).toEqual([]);
});

test('Chinese is cut into overlapping pairs, other words stay whole, width is one', () => {
  expect(bigramsOf('修改ＭＴＵ值 to 1500')).toEqual(['修改', 'mtu', '值', 'to', '1500']);
  expect(bigramsOf('数据目录')).toEqual(['数据', '据目', '目录']);
});
