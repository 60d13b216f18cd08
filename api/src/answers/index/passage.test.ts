import { expect, test } from '@jest/globals';
import { fullPlace } from './passage.ts';

test('a place names the document and its headings, the title once', () => {
  expect(fullPlace({ title: 'Returns', place: 'Periods › Phones' })).toBe('Returns › Periods › Phones');
  expect(fullPlace({ title: 'Returns', place: 'Returns › Periods' })).toBe('Returns › Periods');
  expect(fullPlace({ title: 'Returns', place: 'Returns by post' })).toBe('Returns › Returns by post');
  expect(fullPlace({ title: 'Returns', place: '' })).toBe('Returns');
});
