import { expect, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { failure } from 'host/stand-ins';
import { articles, openChat, settle } from '../testing/open-chat.tsx';
import { conversation, record } from '../testing/samples.ts';

test('renames a conversation, and restores the title when the server rejects it', async () => {
  let isRefused = false;
  const { user, calls, toasts } = await openChat({
    conversations: [conversation('c1')],
    answers: {
      'PATCH /api/conversations/c1': ({ body }) => {
        if (isRefused) throw failure(400, 'invalid_request', '名称有误');
        return conversation('c1', body as { title: string });
      },
    },
  });
  const rename = async (title: string) => {
    await user.click(screen.getByRole('button', { name: /^更多/ }));
    await settle();
    await user.click(await screen.findByRole('menuitem', { name: '重命名' }));
    await user.clear(screen.getByRole('textbox', { name: '会话名称' }));
    await user.type(screen.getByRole('textbox', { name: '会话名称' }), `${title}{Enter}`);
    await settle();
  };
  await rename('新名称');
  expect(calls.filter(({ method }) => method === 'PATCH')).toMatchObject([{ body: { title: '新名称' } }]);
  expect(screen.getByRole('link', { name: /新名称/ })).toBeInTheDocument();

  isRefused = true;
  await rename('别的');
  expect(screen.getByRole('link', { name: /新名称/ })).toBeInTheDocument();
  expect(toasts.at(-1)).toMatchObject({ kind: 'error', text: '名称有误' });
});

test('by keyboard, arrows stay in the menu, and focus stays in the list after renaming and deleting', async () => {
  const conversations = [conversation('c1'), conversation('c2')];
  const { user } = await openChat({
    conversations,
    answers: {
      'PATCH /api/conversations/c1': ({ body }) => conversation('c1', body as { title: string }),
      'DELETE /api/conversations/c1': () => ({ matched: 1, deleted: 1, undoToken: 'u', undoUntil: '' }),
    },
  });
  const openMenu = async () => {
    screen.getByRole('button', { name: /更多：.*c1/ }).focus();
    await user.keyboard('{Enter}');
    await settle();
  };
  await openMenu();
  await user.keyboard('{ArrowUp}');
  expect(screen.getByRole('menuitem', { name: '删除会话' })).toHaveFocus();
  await user.keyboard('{ArrowDown}{Enter}');
  expect(screen.getByRole('textbox', { name: '会话名称' })).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(screen.getByRole('link', { name: /title c1/ })).toHaveFocus();

  await openMenu();
  await user.keyboard('{Enter}new c1{Enter}');
  await settle();
  expect(screen.getByRole('link', { name: /new c1/ })).toHaveFocus();

  // A click elsewhere saves the new title, too, and the clicked element keeps the focus.
  await openMenu();
  await user.keyboard('{Enter}newer c1');
  await user.click(screen.getByRole('searchbox'));
  await settle();
  expect(screen.getByRole('link', { name: /newer c1/ })).toBeInTheDocument();
  expect(screen.getByRole('searchbox')).toHaveFocus();

  await openMenu();
  await user.keyboard('{ArrowUp}{Enter}');
  await settle();
  expect(screen.getByRole('link', { name: /title c2/ })).toHaveFocus();
});

test('deletes a conversation immediately and offers to undo it', async () => {
  const conversations = [conversation('c1'), conversation('c2')];
  const { user, calls, toasts, address } = await openChat({
    path: '/index?c=c1',
    conversations,
    records: [record('r1')],
    answers: {
      'DELETE /api/conversations/c1': () => ({
        matched: 3,
        deleted: 3,
        undoToken: 'u',
        undoUntil: new Date(Date.now() + 5 * 86_400_000 - 1000).toISOString(),
      }),
      'POST /api/undo_delete': () => ({ restored: 3 }),
    },
  });
  await user.click(screen.getByRole('button', { name: '更多：title c1' }));
  await settle();
  await user.click(await screen.findByRole('menuitem', { name: '删除会话' }));
  await settle();
  expect(screen.queryByRole('link', { name: /title c1/ })).toBeNull();
  expect(address()).toBe('/index');
  expect(articles()).toEqual([]);
  expect(toasts.at(-1)).toMatchObject({ text: '已删除 3 条，5 天内可撤销', action: { label: '撤销' } });

  await act(async () => toasts.at(-1)!.action!.run());
  await settle();
  expect(calls.find(({ url }) => url === '/api/undo_delete')).toMatchObject({ body: { undoToken: 'u' } });
  expect(screen.getByRole('link', { name: /title c1/ })).toBeInTheDocument();
});
