import { expect, test } from '@jest/globals';
import type { Language } from '../contract.ts';
import { createDesk } from './create-desk.ts';

test('has the texts of the current language, and none where nothing is set', () => {
  let language: Language = 'zh';
  const zh = { name: '客服', starters: ['怎样退货？'], contact: '400', hours: '9–18', greeting: '您好' };
  const desk = createDesk({ logoUrl: '/logo', zh }, () => language);
  expect({ ...desk }).toEqual({
    logoUrl: '/logo',
    name: '客服',
    greeting: '您好',
    starterQuestions: ['怎样退货？'],
    contact: '400',
    hours: '9–18',
  });
  language = 'en';
  expect({ ...desk }).toEqual({
    logoUrl: '/logo',
    // A name in the other language is better than the default name.
    name: '客服',
    greeting: '',
    starterQuestions: [],
    contact: '',
    hours: '',
  });
  expect(createDesk(undefined, () => 'zh').logoUrl).toBe('');
});
