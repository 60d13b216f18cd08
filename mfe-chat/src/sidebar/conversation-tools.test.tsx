import { afterEach, expect, jest, test } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import { failure } from 'host/stand-ins';
import { openChat, type Setting, settle } from '../testing/open-chat.tsx';
import { conversation, record } from '../testing/samples.ts';

const at = (minute: number) => new Date(Date.now() - minute * 60_000).toISOString();
const NEW = conversation('c1', { updatedAt: at(1) });
const OLD = conversation('c2', { updatedAt: at(2) });
const OLDER = conversation('c3', { updatedAt: at(3) });

afterEach(() => {
  jest.restoreAllMocks();
});

async function open(setting: Setting = {}) {
  const opened = await openChat({ conversations: [NEW, OLD], ...setting });
  const choose = async (title: string, item: string) => {
    screen.getByRole('button', { name: `更多：${title}` }).focus();
    await opened.user.keyboard('{Enter}');
    await settle();
    screen.getByRole('menuitem', { name: item }).focus();
    await opened.user.keyboard('{Enter}');
    await settle();
  };
  return { ...opened, choose };
}

const titles = () =>
  within(screen.getByRole('group', { name: /会话/ }))
    .getAllByRole('link')
    .map((link) => link.querySelector('b')?.textContent);

test('pins a conversation to the top at once, keeps the focus on it, and moves it back if the server rejects', async () => {
  let isRefused = false;
  const { choose, calls, toasts } = await open({
    answers: {
      'GET /api/conversations': () => ({ conversations: [NEW, OLD], nextCursor: null }),
      'PATCH /api/conversations/c2': ({ body }) => {
        if (isRefused) throw failure(404, 'not_found', '没有找到这个对话');
        return conversation('c2', { ...OLD, ...(body as object) });
      },
    },
  });
  isRefused = true;
  await choose('title c2', '置顶');
  expect(titles()).toEqual(['title c1', 'title c2']);
  expect(toasts.at(-1)).toMatchObject({ kind: 'error', text: '没有找到这个对话' });
  expect(screen.queryByRole('heading', { name: '置顶' })).toBeNull();
  expect(calls.filter(({ method }) => method === 'PATCH')).toMatchObject([{ body: { pinned: true } }]);
});

test('lists pinned conversations in a group of their own, where they can be unpinned', async () => {
  let pinned = true;
  const { choose, toasts } = await open({
    answers: {
      'GET /api/conversations': () => ({
        conversations: pinned ? [{ ...OLD, pinned }, NEW] : [NEW, OLD],
        nextCursor: null,
      }),
      'PATCH /api/conversations/c2': () => {
        pinned = false;
        return OLD;
      },
    },
  });
  expect(within(screen.getByRole('list', { name: '置顶' })).getAllByRole('link')).toHaveLength(1);
  expect(titles()).toEqual(['title c2', 'title c1']);
  await choose('title c2', '取消置顶');
  expect(titles()).toEqual(['title c1', 'title c2']);
  expect(screen.getByRole('link', { name: /title c2/ })).toHaveFocus();
  expect(toasts.at(-1)).toMatchObject({ text: '已取消置顶' });
});

test('archives a conversation, which is then in the list of archived ones, from where it returns', async () => {
  const archived = new Set<string>();
  const { choose, user } = await open({
    answers: {
      'GET /api/conversations': ({ params }) => {
        const isArchived = params.archived === 1;
        const all = [NEW, OLD].map((one) => (archived.has(one.id) ? { ...one, archived: true } : one));
        return {
          conversations: all.filter((one) => archived.has(one.id) === isArchived),
          nextCursor: null,
          ...(archived.size > 0 ? { hasArchived: true } : {}),
        };
      },
      'PATCH /api/conversations/c1': ({ body }) => {
        const { archived: is } = body as { archived: boolean };
        if (is) archived.add('c1');
        else archived.delete('c1');
        return { ...NEW, ...(is ? { archived: true } : {}) };
      },
    },
  });
  expect(screen.queryByRole('button', { name: '已归档' })).toBeNull();
  await choose('title c1', '归档');
  expect(titles()).toEqual(['title c2']);
  expect(screen.getByRole('link', { name: /title c2/ })).toHaveFocus();

  screen.getByRole('button', { name: '已归档' }).focus();
  await user.keyboard('{Enter}');
  await settle();
  expect(screen.getByRole('button', { name: '全部会话' })).toHaveFocus();
  expect(titles()).toEqual(['title c1']);
  await choose('title c1', '移出归档');
  expect(screen.getByText('没有归档的会话')).toBeInTheDocument();
  screen.getByRole('button', { name: '全部会话' }).focus();
  await user.keyboard('{Enter}');
  await settle();
  expect(titles()).toEqual(['title c1', 'title c2']);
});

test('an archived conversation can be found before the list was read again', async () => {
  let reads = 0;
  const { choose } = await open({
    answers: {
      'GET /api/conversations': () => {
        reads += 1;
        return reads === 1 ? { conversations: [NEW, OLD], nextCursor: null } : new Promise(() => undefined);
      },
      'PATCH /api/conversations/c1': ({ body }) => ({ ...NEW, ...(body as object) }),
    },
  });
  await choose('title c1', '归档');
  expect(reads).toBe(2);
  expect(screen.getByRole('button', { name: '已归档' })).toBeVisible();
});

test('the focus moves on at once, without waiting for the server', async () => {
  const confirm: Record<string, () => void> = {};
  const { choose } = await open({
    conversations: [NEW, OLD, OLDER],
    answers: Object.fromEntries(
      [NEW, OLDER].map((one) => [
        `PATCH /api/conversations/${one.id}`,
        async ({ body }: { body?: unknown }) => {
          await new Promise<void>((resolve) => {
            confirm[one.id] = resolve;
          });
          return { ...one, ...(body as object) };
        },
      ]),
    ),
  });
  await choose('title c3', '置顶');
  await choose('title c1', '归档');
  expect(titles()).toEqual(['title c3', 'title c2']);
  expect(screen.getByRole('link', { name: /title c2/ })).toHaveFocus();
  for (const id of ['c3', 'c1']) {
    confirm[id]!();
    await settle();
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(screen.getByRole('link', { name: /title c2/ })).toHaveFocus();
  }
});

test('deleting the shown conversation leaves it, unless another one was opened meanwhile', async () => {
  const deletion = { deleted: 1, undoToken: 'undo', undoUntil: at(-60 * 24 * 30) };
  const held = Promise.withResolvers<object>();
  const { choose, user, address } = await open({
    path: '/index?c=c1',
    answers: {
      'DELETE /api/conversations/c1': () => held.promise,
      'DELETE /api/conversations/c2': () => deletion,
    },
  });
  await choose('title c1', '删除会话');
  await user.click(screen.getByRole('link', { name: /title c2/ }));
  held.resolve(deletion);
  await settle();
  expect(address()).toBe('/index?c=c2');

  await choose('title c2', '删除会话');
  expect(address()).toBe('/index');
});

test('archiving can be undone', async () => {
  const { choose, toasts, calls } = await open({
    answers: { 'PATCH /api/conversations/c1': ({ body }) => ({ ...NEW, ...(body as object) }) },
  });
  await choose('title c1', '归档');
  toasts.at(-1)?.action?.run();
  await settle();
  const changes = calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
  expect(changes).toEqual([{ archived: true }, { archived: false }]);
});

test.each([
  ['导出 Markdown', 'markdown', 'title c1.md'],
  ['导出 PDF', 'pdf', 'title c1.pdf'],
])('%s downloads the file', async (item, format, name) => {
  const names: string[] = [];
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  const { choose, calls } = await open({
    answers: { 'GET /api/conversations/c1/export': () => new Blob(['x']) },
  });
  await choose('title c1', item);
  expect(names).toEqual([name]);
  expect(calls.find(({ url }) => url.endsWith('/export'))).toMatchObject({
    params: { format, tz: expect.any(String) },
  });
});

test.each([
  ['has arrived', () => new Blob(['x']), []],
  [
    'has failed',
    () => {
      throw failure(503, 'unavailable', '服务暂时不可用');
    },
    ['服务暂时不可用'],
  ],
])('the notice that a PDF is being prepared disappears when it %s', async (_, end, left) => {
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const held = Promise.withResolvers<void>();
  const { choose, shown$ } = await open({
    answers: { 'GET /api/conversations/c1/export': () => held.promise.then(end) },
  });
  await choose('title c1', '导出 PDF');
  expect(shown$.value).toMatchObject([{ kind: 'info' }]);
  held.resolve();
  await settle();
  expect(shown$.value.map(({ text }) => text)).toEqual(left);
});

test('prints all pages of a conversation, also one that is not open, and nothing else', async () => {
  const print = jest.fn(() => {
    expect(document.body.dataset.printing).toBe('conversation');
  });
  window.print = print;
  const records = Array.from({ length: 130 }, (_, index) => record(`r${130 - index}`));
  const { choose } = await open({ records });
  await choose('title c2', '打印');
  expect(print).toHaveBeenCalledTimes(1);
  const title = screen.getByRole('heading', { name: 'title c2', level: 1, hidden: true });
  const printed = title.parentElement!;
  expect(printed.textContent.indexOf('question r1')).toBeLessThan(
    printed.textContent.indexOf('question r130'),
  );
  expect(printed.textContent).toContain('answer r130');

  fireEvent(window, new Event('afterprint'));
  await settle();
  expect(screen.queryByRole('heading', { name: 'title c2', level: 1, hidden: true })).toBeNull();
  expect(document.body.dataset.printing).toBeUndefined();
});

test('reports why a conversation could not be printed', async () => {
  window.print = jest.fn();
  const { choose, toasts } = await open({
    answers: {
      'GET /api/conversations/c2/records': () => {
        throw failure(404, 'not_found', '没有找到这个对话');
      },
    },
  });
  await choose('title c2', '打印');
  expect(window.print).not.toHaveBeenCalled();
  expect(toasts.at(-1)).toMatchObject({ kind: 'error', text: '没有找到这个对话' });
});
