import { expect, test } from '@jest/globals';
import { changedFields, readField, rebase, takeField } from './setting-fields.ts';
import { settingsWith } from './testing/sample-settings.ts';

test('finds changed fields; blanks and empty questions make no difference', () => {
  const before = settingsWith({ zh: { name: '客服', starters: ['一'] } });
  expect(changedFields(before, settingsWith({ zh: { name: ' 客服 ', starters: ['', '一 '] } }))).toEqual([]);
  expect(
    changedFields(before, settingsWith({ zh: { starters: ['二'] }, en: { name: 'Desk' } }, { models: [] })),
  ).toEqual(['texts.zh.name', 'texts.zh.starters', 'texts.en.name', 'models']);
});

test('applies my changes to what others have saved', () => {
  const base = settingsWith({ zh: { name: '甲' } });
  const mine = settingsWith({ zh: { name: '乙' } }, { guestDays: 3 });
  const theirs = settingsWith({ zh: { name: '丙', hours: '9–18' } }, { handbook: false });
  const merged = rebase(mine, base, theirs);
  expect(merged).toMatchObject({
    guestDays: 3,
    handbook: false,
    texts: { zh: { name: '乙', hours: '9–18' } },
  });
  expect(readField(takeField(merged, 'texts.zh.name', theirs), 'texts.zh.name')).toBe('丙');
  expect(takeField(merged, 'guestDays', theirs).guestDays).toBeNull();
});
