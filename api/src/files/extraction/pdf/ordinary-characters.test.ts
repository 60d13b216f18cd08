import { expect, test } from '@jest/globals';
import { ordinaryCharacters } from './ordinary-characters.ts';

test.each([
  ['⼆、交通：⼀⼈⼀⻋，⻓途乘⻜机（⻚ 3）', '二、交通：一人一车，长途乘飞机（页 3）'],
  ['ﬁnal oﬀice, eﬄuent', 'final office, effluent'],
  ['豈 ﷲ ｆｕｌｌ，①²', '豈 الله ｆｕｌｌ，①²'],
])('%s becomes %s', (glyphs, characters) => {
  expect(ordinaryCharacters(glyphs)).toBe(characters);
});
