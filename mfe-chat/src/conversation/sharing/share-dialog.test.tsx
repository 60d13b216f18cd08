import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import type { Share, ShareRequest } from 'api/contract/sharing';
import { type Answer, failure } from 'host/stand-ins';
import { openChat, type Setting, settle } from '../../testing/open-chat.tsx';
import { conversation, record } from '../../testing/samples.ts';

const PATH = '/api/conversations/c1/share';

/** A server with one link; `tokens` are those it has given. */
function createShareServer() {
  const server = { share: null as Share | null, tokens: [] as string[], hasFiles: true, hasVersions: true };
  const shareOf = ({ files = false, versions = false, days }: ShareRequest, createdAt: string): Share => ({
    files,
    versions,
    recordCount: 3,
    createdAt,
    updatedAt: '2026-11-21T02:00:00.000Z',
    expiresAt: days ? `2026-12-${days}T01:00:00.000Z` : null,
  });
  const answers: Record<string, Answer> = {
    [`GET ${PATH}`]: () => ({
      share: server.share,
      hasFiles: server.hasFiles,
      hasVersions: server.hasVersions,
    }),
    [`POST ${PATH}`]: ({ body }) => {
      const token = `token-${server.tokens.length + 1}`;
      server.tokens.push(token);
      const createdAt = `2026-11-21T01:00:0${server.tokens.length}.000Z`;
      server.share = shareOf(body as ShareRequest, createdAt);
      return { ...server.share, token };
    },
    [`PATCH ${PATH}`]: ({ body }) => {
      server.share = shareOf(body as ShareRequest, server.share!.createdAt);
      return server.share;
    },
    [`DELETE ${PATH}`]: () => {
      server.share = null;
    },
  };
  return { server, answers };
}

async function open(answers: Record<string, Answer>, setting: Setting = {}) {
  const opened = await openChat({ conversations: [conversation('c1')], answers, ...setting });
  const { user } = opened;
  const openDialog = async () => {
    screen.getByRole('button', { name: '更多：title c1' }).focus();
    await user.keyboard('{Enter}');
    await settle();
    screen.getByRole('menuitem', { name: '分享…' }).focus();
    await user.keyboard('{Enter}');
    await settle();
  };
  await openDialog();
  const press = async (name: string) => {
    dialog().getByRole('button', { name }).focus();
    await user.keyboard('{Enter}');
    await settle();
  };
  return { ...opened, openDialog, press };
}

const dialog = () => within(screen.getByRole('dialog', { name: /分享会话|我分享的全部链接/ }));
const link = () => dialog().queryByRole<HTMLInputElement>('textbox', { name: '链接' });

test('creates a link by keyboard, shows and copies it, and revokes it', async () => {
  const { server, answers } = createShareServer();
  const { user, press, calls, toasts } = await open(answers);
  expect(link()).toBeNull();
  dialog().getByRole('checkbox', { name: '同时分享提问时发送的文件' }).focus();
  await user.keyboard(' ');
  await press('创建链接');
  expect(calls.find(({ method }) => method === 'POST')).toMatchObject({ body: { files: true } });
  expect(link()?.value).toBe(`${location.origin}/shared#token-1`);
  expect(dialog().getByRole('status')).toHaveTextContent('链接已创建');
  expect(dialog().getByText(/共 3 条/)).toBeInTheDocument();
  expect(dialog().getByRole('button', { name: '复制链接' })).toHaveFocus();

  await press('复制链接');
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/shared#token-1`);
  expect(toasts.at(-1)).toMatchObject({ text: '已复制链接' });

  await press('撤销链接');
  expect(server.share).toBeNull();
  expect(dialog().getByRole('status')).toHaveTextContent('链接已失效');
  expect(link()).toBeNull();
  expect(dialog().getByRole('button', { name: '创建链接' })).toHaveFocus();

  await user.keyboard('{Escape}');
  await settle();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('button', { name: '更多：title c1' })).toHaveFocus();
});

test('offers neither files nor other versions if there are none', async () => {
  const { server, answers } = createShareServer();
  Object.assign(server, { hasFiles: false, hasVersions: false });
  const { press, calls } = await open(answers);
  expect(dialog().queryByRole('checkbox')).toBeNull();
  await press('创建链接');
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    files: false,
    versions: false,
    shown: [],
  });
});

test('shares the versions that are shown, or all of them on request', async () => {
  const { answers } = createShareServer();
  const slip = record('r1', { question: 'slip' });
  const versionOf = { recordId: 'r1', createdAt: slip.createdAt, number: 2 };
  const { user, press, openDialog, calls } = await open(answers, {
    path: '/index?c=c1',
    records: [
      record('r2', { question: 'corrected', createdAt: '2026-11-21T01:05:00.000Z', versionOf }),
      slip,
    ],
  });
  const posted = () => calls.filter(({ method }) => method === 'POST').at(-1)?.body;
  await press('创建链接');
  expect(posted()).toMatchObject({ versions: false, shown: ['r2'] });

  await user.keyboard('{Escape}');
  await settle();
  await user.click(screen.getByRole('button', { name: /上一版/ }));
  await openDialog();
  await user.click(dialog().getByRole('checkbox', { name: '同时分享修改前的问题和其他版本的回答' }));
  await press('换新链接');
  expect(posted()).toMatchObject({ versions: true, shown: ['r1'] });
});

test('shares the latest versions of a conversation that is not on the screen', async () => {
  const { answers } = createShareServer();
  const slip = record('r1', { question: 'slip', conversationId: 'c2' });
  const versionOf = { recordId: 'r1', createdAt: slip.createdAt, number: 2 };
  const other = { createdAt: '2026-11-21T01:05:00.000Z', versionOf, conversationId: 'c2' };
  const { press, calls } = await open(answers, {
    conversations: [conversation('c1'), conversation('c2')],
    path: '/index?c=c2',
    records: [record('r2', { question: 'corrected', ...other }), slip],
  });
  await press('创建链接');
  expect(calls.find(({ method, url }) => method === 'POST' && url === PATH)?.body).toMatchObject({
    shown: [],
  });
});

test('updates what the link shows without changing it, and replaces it on request', async () => {
  const { answers } = createShareServer();
  const { user, press, calls } = await open(answers);
  await press('创建链接');
  await user.click(dialog().getByRole('checkbox', { name: '同时分享提问时发送的文件' }));
  await press('更新内容');
  expect(calls.find(({ method }) => method === 'PATCH')).toMatchObject({ body: { files: true } });
  expect(link()?.value).toMatch(/#token-1$/);
  await press('换新链接');
  expect(link()?.value).toMatch(/#token-2$/);
});

test('shows a link again in the browser that created it, and nowhere else', async () => {
  const { server, answers } = createShareServer();
  const { user, openDialog, press } = await open(answers);
  await press('创建链接');
  await user.keyboard('{Escape}');
  await settle();
  await openDialog();
  expect(link()?.value).toMatch(/#token-1$/);

  // Another device replaces the link.
  await user.keyboard('{Escape}');
  await settle();
  server.share = { ...server.share!, createdAt: '2026-11-21T09:00:00.000Z' };
  await openDialog();
  expect(link()).toBeNull();
  expect(dialog().getByText(/只在创建它的浏览器里显示/)).toBeInTheDocument();
});

test('says why an action failed, and reads the state again on request', async () => {
  const { answers } = createShareServer();
  let isDown = true;
  const { press } = await open({
    ...answers,
    [`GET ${PATH}`]: () => {
      if (isDown) throw failure(0, 'offline', '连不上服务器');
      return { share: null, hasFiles: false, hasVersions: false };
    },
    [`POST ${PATH}`]: () => {
      throw failure(413, 'too_large', '一个链接最多分享 2,000 条记录');
    },
  });
  expect(dialog().getByRole('alert')).toHaveTextContent('连不上服务器');
  isDown = false;
  await press('重试');
  await press('创建链接');
  expect(dialog().getByRole('status')).toHaveTextContent('一个链接最多分享 2,000 条记录');
});

test('a link can end, and all links are listed with their end', async () => {
  const { server, answers } = createShareServer();
  const listed = (id: string, title: string, fields: Partial<Share>) => ({
    conversationId: id,
    title,
    ...{ files: false, versions: false, recordCount: 2, updatedAt: '2026-11-21T02:00:00.000Z' },
    ...{ createdAt: '2026-11-21T01:00:00.000Z', expiresAt: null, ...fields },
  });
  const all = [
    listed('c1', '退款流程', { expiresAt: '2126-12-07T01:00:00.000Z' }),
    listed('c2', '旧的链接', { expiresAt: '2020-01-02T01:00:00.000Z' }),
  ];
  const { user, press, openDialog, calls } = await open({
    ...answers,
    'GET /api/shares': () => ({ shares: [...all], nextCursor: null }),
    'DELETE /api/conversations/c2/share': () => void all.pop(),
  });
  await user.selectOptions(dialog().getByRole('combobox', { name: '有效期' }), '30 天');
  await press('创建链接');
  expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ days: 30 });
  expect(server.share?.expiresAt).toBe('2026-12-30T01:00:00.000Z');

  const end = () => dialog().getByRole<HTMLSelectElement>('combobox', { name: '有效期' }).selectedOptions[0];
  expect(end()).toHaveTextContent('30 天');

  await press('我分享的全部链接');
  const rows = () =>
    dialog()
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  expect(rows()[0]).toMatch(/退款流程.*2126年12月7日 失效/);
  expect(rows()[1]).toMatch(/旧的链接.*2020年1月2日 已失效/);
  await press('撤销“旧的链接”的链接');
  expect(rows()).toHaveLength(1);
  expect(dialog().getByRole('button', { name: '返回' })).toHaveFocus();
  server.share = { ...server.share!, expiresAt: '2020-01-02T01:00:00.000Z' };
  await press('返回');
  expect(end()).toHaveTextContent('30 天');
  await user.keyboard('{Escape}');
  await settle();
  await openDialog();
  expect(end()).toHaveTextContent('已过期');

  await press('更新内容');
  const updates = () => calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
  expect(updates().at(-1)).not.toHaveProperty('days');
  await user.selectOptions(dialog().getByRole('combobox', { name: '有效期' }), '一直有效');
  await press('更新内容');
  expect(updates().at(-1)).toHaveProperty('days', null);
});
