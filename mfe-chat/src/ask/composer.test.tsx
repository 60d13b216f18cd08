import { expect, test } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { articles, field, openChat, sentQuestions, settle } from '../testing/open-chat.tsx';
import { DONE, RECORD } from '../testing/samples.ts';

test.each([true, false])(
  'focuses the textarea with a mouse (%s) but not on a touch screen',
  async (isFine) => {
    window.matchMedia = (query) =>
      Object.assign(new EventTarget(), { matches: isFine && query.includes('fine') }) as MediaQueryList;
    await openChat();
    expect(document.activeElement === field()).toBe(isFine);
    Reflect.deleteProperty(window, 'matchMedia');
  },
);

test('sends trimmed text, shows the question with a placeholder, and fills the placeholder as the answer arrives', async () => {
  const { user, calls, streams, address } = await openChat();
  await user.type(field(), '  退款几天到账  ');
  await user.click(screen.getByRole('button', { name: '发送' }));

  expect(field()).toHaveValue('');
  expect(sentQuestions(calls)[0]).toMatchObject({ text: '退款几天到账', clientId: expect.any(String) });
  expect(articles().map((article) => article.getAttribute('aria-label'))).toEqual([
    '我的问题',
    '咨询台的回答',
  ]);
  expect(screen.getByText('正在查找')).toBeInTheDocument();
  expect(screen.getByRole('log')).toHaveAttribute('aria-busy', 'true');

  streams[0]!.send('record', RECORD, 0);
  streams[0]!.send('delta', { text: '三个' }, 2);
  await settle();
  expect(articles()[1]).toHaveTextContent('正在回答');
  expect(articles()[1]).toHaveTextContent('三个');
  expect(address()).toBe('/index?c=c1');

  streams[0]!.send('done', { ...DONE, response: '三个工作日' }, 5);
  await settle();
  expect(articles()[1]).toHaveTextContent('三个工作日');
  expect(articles()[1]).toHaveTextContent('资料');
  expect(screen.getByRole('log')).toHaveAttribute('aria-busy', 'false');
  expect(screen.getAllByRole('status').map((status) => status.textContent)).toContain(
    '咨询台的回答: 三个工作日',
  );
});

test('ignores blank text', async () => {
  const { user, calls } = await openChat();
  await user.type(field(), '  \n ');
  await user.click(screen.getByRole('button', { name: '发送' }));
  await user.type(field(), '{Enter}');
  expect(sentQuestions(calls)).toEqual([]);
  expect(articles()).toEqual([]);
});

test('sends on Enter and inserts a line break on Shift + Enter', async () => {
  const { user, calls } = await openChat();
  await user.type(field(), 'a{Shift>}{Enter}{/Shift}b');
  // A key that was already held down before the text was typed.
  expect(fireEvent.keyDown(field(), { key: 'Enter', repeat: true })).toBe(false);
  expect(sentQuestions(calls)).toEqual([]);
  await user.type(field(), '{Enter}');
  expect(sentQuestions(calls)[0]).toMatchObject({ text: 'a\nb' });
});

test('does not send on an Enter that confirms a composition, in any order of events', async () => {
  const { calls } = await openChat();
  fireEvent.change(field(), { target: { value: '你好' } });

  // Chromium and Firefox: keydown during the composition.
  fireEvent.keyDown(field(), { key: 'Enter', isComposing: true });
  fireEvent.compositionEnd(field());
  fireEvent.keyUp(field(), { key: 'Enter' });
  // Older browsers: only the key code shows it.
  fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 });
  // Safari: the composition ends before keydown.
  fireEvent.compositionEnd(field());
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(sentQuestions(calls)).toEqual([]);

  fireEvent.keyUp(field(), { key: 'Enter' });
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(sentQuestions(calls)).toHaveLength(1);
});

test('leaves text that exceeds the limit in the composer and says so', async () => {
  const { user, calls } = await openChat();
  fireEvent.change(field(), { target: { value: '长'.repeat(8_001) } });
  await user.click(screen.getByRole('button', { name: '发送' }));
  expect(screen.getByRole('alert')).toHaveTextContent('最多 8,000 字，现在 8,001 字');
  expect(field().value).toHaveLength(8_001);
  expect(sentQuestions(calls)).toEqual([]);

  fireEvent.change(field(), { target: { value: '长'.repeat(8_000) } });
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(screen.getByRole('button', { name: '发送' }));
  expect(sentQuestions(calls)).toMatchObject([{ text: '长'.repeat(8_000) }]);
});
