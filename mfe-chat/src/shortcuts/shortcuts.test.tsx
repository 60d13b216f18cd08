import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { field, openChat, settle } from '../testing/open-chat.tsx';
import { conversation, RECORD, record } from '../testing/samples.ts';
import { actionOf } from './shortcuts.ts';

const press = (pressed: Partial<KeyboardEvent>, isSingle = true) =>
  actionOf(
    {
      key: '',
      code: '',
      altKey: false,
      shiftKey: false,
      ctrlKey: false,
      metaKey: false,
      repeat: false,
      isComposing: false,
      ...pressed,
    },
    isSingle,
  );

test('recognises Option + Shift on a Mac, where the typed character is another one', () => {
  expect(press({ key: '˜', code: 'KeyN', altKey: true, shiftKey: true })).toBe('new');
  expect(press({ key: '¿', code: 'Slash', altKey: true, shiftKey: true })).toBe('list');
  expect(press({ key: 'N', code: 'KeyL', altKey: true, shiftKey: true })).toBe('new');
});

test('leaves the keys of the browser, of screen readers and of input methods alone', () => {
  expect(press({ key: 'n', code: 'KeyN', ctrlKey: true })).toBeNull();
  expect(press({ key: 'N', code: 'KeyN', ctrlKey: true, shiftKey: true })).toBeNull();
  expect(press({ key: 'f', code: 'KeyF', metaKey: true })).toBeNull();
  expect(press({ key: 'n', code: 'KeyN', altKey: true })).toBeNull();
  expect(press({ key: 'n', code: 'KeyN', altKey: true, ctrlKey: true, shiftKey: true })).toBeNull();
  expect(press({ key: 'n', code: 'KeyN', isComposing: true })).toBeNull();
  expect(press({ key: 'n', code: 'KeyN', repeat: true })).toBeNull();
});

test('single keys work outside text fields only; with Alt + Shift they work while typing', async () => {
  const { user, address } = await openChat({
    path: '/index?c=c1',
    conversations: [conversation('c1')],
    records: [record('r1')],
  });
  await user.type(field(), 'nf?');
  expect(field()).toHaveValue('nf?');
  expect(address()).toBe('/index?c=c1');

  screen.getByRole('main').focus();
  await user.keyboard('f');
  expect(screen.getByRole('searchbox')).toHaveFocus();
  await user.keyboard('{Alt>}{Shift>}C{/Shift}{/Alt}');
  expect(field()).toHaveFocus();
  await user.keyboard('{Alt>}{Shift>}N{/Shift}{/Alt}');
  await settle();
  expect(address()).toBe('/index');
  expect(field()).toHaveFocus();
});

test('stops the answer by its shortcut', async () => {
  const { user, calls, streams } = await openChat({ conversations: [conversation('c1')] });
  await user.type(field(), '退款{Enter}');
  streams[0]!.send('record', RECORD, 0);
  await settle();
  await user.keyboard('{Alt>}{Shift>}S{/Shift}{/Alt}');
  expect(calls.filter(({ url }) => url.endsWith('/stop'))).toHaveLength(1);
});

test('? lists the shortcuts; single keys can be switched off, which is remembered', async () => {
  const kept = new Map<string, string>();
  const first = await openChat({ kept });
  screen.getByRole('main').focus();
  await first.user.keyboard('?');
  await settle();
  const dialog = screen.getByRole('dialog', { name: '快捷键' });
  expect(within(dialog).getByRole('row', { name: /新咨询/ })).toHaveTextContent('新咨询NAltShiftN');
  expect(within(dialog).getByRole('row', { name: /最新的提示/ })).toHaveTextContent(/AltShiftU$/);
  await first.user.click(within(dialog).getByRole('checkbox', { name: /单键/ }));
  expect(within(dialog).getByRole('row', { name: /新咨询/ })).toHaveTextContent('新咨询AltShiftN');
  // Keys pressed in a dialog belong to it.
  await first.user.keyboard('f');
  expect(screen.getByRole('searchbox', { hidden: true })).not.toHaveFocus();
  first.unmount();

  const second = await openChat({ kept });
  screen.getByRole('main').focus();
  await second.user.keyboard('?');
  expect(screen.queryByRole('dialog')).toBeNull();
  await second.user.click(screen.getByRole('button', { name: '快捷键' }));
  await settle();
  expect(screen.getByRole('checkbox', { name: /单键/ })).not.toBeChecked();
});
