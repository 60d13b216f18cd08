import { expect, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { SettingsChange } from 'api/contract/settings';
import { type Answers, failure } from 'host/stand-ins';
import { openScreen } from '../testing/open-screen.tsx';
import SettingsScreen from './settings.tsx';
import { replyWith, settingsWith } from './testing/sample-settings.ts';

function open(answers: Answers = {}, kept = new Map<string, string>()) {
  const all = {
    'GET /api/settings': () => replyWith(0),
    'GET /api/settings/history': () => ({ revisions: [], nextCursor: null }),
    ...answers,
  };
  return openScreen(SettingsScreen, all, { username: 'lin', kept });
}

const preview = () => screen.getByRole('region', { name: '预览' });
const saveButton = () => screen.getByRole('button', { name: /^保存/ });
const name = () => screen.findByLabelText('名称');

test('explains to others who can change the settings', async () => {
  open({
    'GET /api/settings': () => {
      throw failure(403, 'forbidden', '没有权限进行此操作');
    },
  });
  expect(await screen.findByText('只有管理员可以修改设置')).toBeVisible();
  expect(screen.getByRole('link', { name: '回到咨询' })).toHaveAttribute('href', '/index');
});

test('saves what was typed, previews it as text, and offers to save only changes', async () => {
  const { calls, toasts, user } = open({
    'PUT /api/settings': ({ body }) => replyWith(1, (body as SettingsChange).settings),
  });
  await user.type(await name(), '<b>客服');
  expect(within(preview()).getByText('<b>客服')).toBeVisible();
  await user.type(screen.getByLabelText('开场问题 2'), '怎样退货？');
  await user.type(screen.getByLabelText('办公时间'), '9–18 点');
  expect(within(preview()).getByText('怎样退货？')).toBeVisible();
  expect(within(preview()).getByText('办公时间：9–18 点')).toBeVisible();
  expect(screen.getByText('有 3 处修改没有保存')).toBeVisible();
  await user.click(saveButton());
  await waitFor(() => expect(toasts).toEqual([{ kind: 'success', text: '设置已保存' }]));
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    revision: 0,
    settings: settingsWith({ zh: { name: '<b>客服', starters: ['怎样退货？'], hours: '9–18 点' } }),
  });
  expect(saveButton()).toHaveAttribute('aria-disabled', 'true');
});

test('what is typed while the settings are saved stays', async () => {
  const held = Promise.withResolvers<void>();
  const { user } = open({
    'PUT /api/settings': async ({ body }) => {
      await held.promise;
      return replyWith(1, (body as SettingsChange).settings);
    },
  });
  await user.type(await name(), '客服');
  await user.click(saveButton());
  await user.type(await name(), '中心');
  held.resolve();
  expect(await screen.findByText('有 1 处修改没有保存')).toBeVisible();
  expect(await name()).toHaveValue('客服中心');
});

test('edits each language on its own', async () => {
  const { user } = open();
  await user.type(await name(), '客服');
  await user.click(screen.getByRole('radio', { name: 'English' }));
  expect(await name()).toHaveValue('');
  await user.type(await name(), 'Acme');
  expect(within(preview()).getByText('Acme')).toBeVisible();
  await user.click(screen.getByRole('radio', { name: '中文' }));
  expect(await name()).toHaveValue('客服');
});

test('a conflict keeps what was typed, shows what the others changed, and saves on top of it', async () => {
  const theirs = {
    ...replyWith(3, settingsWith({ zh: { name: '对方', hours: '全天' } })),
    changedBy: 'wang',
  };
  const bodies: SettingsChange[] = [];
  let reads = 0;
  const { user, toasts } = open({
    'GET /api/settings': () => {
      reads += 1;
      return reads === 1 ? replyWith(2) : theirs;
    },
    'PUT /api/settings': ({ body }) => {
      bodies.push(body as SettingsChange);
      if (bodies.length === 1) throw failure(409, 'conflict', '设置已被其他管理员修改');
      return replyWith(4, (body as SettingsChange).settings);
    },
  });
  await user.type(await name(), '我的');
  await user.type(screen.getByLabelText('联系方式'), '电话 400');
  await user.click(saveButton());
  const note = await screen.findByRole('region', { name: /保存前，wang已于/ });
  expect(within(note).getByRole('heading')).toHaveFocus();
  expect(note).toHaveTextContent('名称（中文）：（默认） → 对方');
  expect(note).toHaveTextContent('办公时间（中文）：（默认） → 全天');
  expect(await name()).toHaveValue('我的');
  expect(screen.getByLabelText('办公时间')).toHaveValue('全天');
  const take = within(note).getByRole('button', { name: '采用对方的：名称（中文）' });
  await user.click(take);
  expect(await name()).toHaveValue('对方');
  expect(take).not.toBeInTheDocument();
  expect(within(note).getByRole('heading')).toHaveFocus();
  await user.click(saveButton());
  await waitFor(() => expect(toasts).toHaveLength(1));
  expect(bodies[1]).toEqual({
    revision: 3,
    settings: settingsWith({ zh: { name: '对方', hours: '全天', contact: '电话 400' } }),
  });
  expect(note).not.toBeInTheDocument();
});

test('discarding in a conflict shows what the others saved, without the note', async () => {
  const theirs = replyWith(3, settingsWith({ zh: { name: '对方' } }));
  let reads = 0;
  const { user } = open({
    'GET /api/settings': () => (reads++ ? theirs : replyWith(2)),
    'PUT /api/settings': () => {
      throw failure(409, 'conflict', '设置已被其他管理员修改');
    },
  });
  await user.type(await name(), '我的');
  await user.click(saveButton());
  await screen.findByRole('region', { name: /^保存前/ });
  await user.click(screen.getByRole('button', { name: '放弃修改' }));
  expect(await name()).toHaveValue('对方');
  expect(screen.queryByRole('region', { name: /^保存前/ })).toBeNull();
});

test('saves once, and an earlier rejection is no longer shown, also after discarding', async () => {
  const held = Promise.withResolvers<object>();
  let answer = (): unknown => {
    throw failure(503, 'unavailable', '服务暂时不可用');
  };
  const { calls, toasts, user } = open({ 'PUT /api/settings': () => answer() });
  const sent = () => calls.filter(({ method }) => method === 'PUT').length;
  await user.type(await name(), '客服');
  await user.click(saveButton());
  expect(await screen.findByText('服务暂时不可用')).toBeVisible();
  await user.click(screen.getByRole('button', { name: '放弃修改' }));
  expect(screen.queryByText('服务暂时不可用')).toBeNull();

  answer = () => held.promise;
  await user.type(await name(), '前台');
  await user.dblClick(saveButton());
  expect(sent()).toBe(2);
  held.resolve(replyWith(1, settingsWith({ zh: { name: '前台' } })));
  await waitFor(() => expect(toasts).toEqual([{ kind: 'success', text: '设置已保存' }]));
});

test('a shorter retention cannot be confirmed before the number of records is known', async () => {
  const held = Promise.withResolvers<object>();
  const { calls, user } = open({
    'GET /api/settings/retention': () => held.promise,
    'PUT /api/settings': ({ body }) => replyWith(1, (body as SettingsChange).settings),
  });
  await user.type(await screen.findByLabelText('账号记录保留天数'), '30');
  await user.click(saveButton());
  const confirm = within(screen.getByRole('dialog')).getByRole('button', { name: '保存，到期删除' });
  await user.click(confirm);
  expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  held.resolve({ records: 12 });
  expect(await screen.findByText(/现在有 12 条记录超过 30 天/)).toBeVisible();
  await user.click(confirm);
  await waitFor(() => expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(1));
});

test('a rejection is shown and the input stays', async () => {
  const { user } = open({
    'PUT /api/settings': () => {
      throw failure(503, 'unavailable', '服务暂时不可用');
    },
  });
  await user.type(await name(), '客服');
  await user.click(saveButton());
  expect(await screen.findByText('服务暂时不可用')).toBeVisible();
  expect(await name()).toHaveValue('客服');
});

test('unsaved changes are there again after leaving, and a reload asks first', async () => {
  const first = open();
  await first.user.type(await name(), '客服');
  expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(false);
  first.unmount();
  expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(true);
  const { toasts, user, unmount } = open({}, first.kept);
  expect(await name()).toHaveValue('客服');
  expect(toasts).toEqual([{ kind: 'info', text: '已恢复您上次没有保存的修改' }]);
  await user.click(screen.getByRole('button', { name: '放弃修改' }));
  expect(await name()).toHaveValue('');
  expect(screen.getByRole('main')).toHaveFocus();
  unmount();
  open({}, first.kept);
  expect(await name()).toHaveValue('');
});

test('asks before records are deleted, with their number', async () => {
  const { calls, user } = open({
    'GET /api/settings/retention': ({ params }) => ({ records: params.days === 30 ? 12 : 0 }),
    'PUT /api/settings': ({ body }) => replyWith(1, (body as SettingsChange).settings),
  });
  await user.type(await screen.findByLabelText('账号记录保留天数'), '30');
  await user.click(saveButton());
  const dialog = screen.getByRole('dialog', { name: '保存并删除旧记录' });
  expect(await within(dialog).findByText(/现在有 12 条记录超过 30 天/)).toBeVisible();
  expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: '保存，到期删除' }));
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      settings: { recordDays: 30 },
    }),
  );
});

test('marks an invalid number of days and does not send it', async () => {
  const { calls, user } = open();
  const days = await screen.findByLabelText('访客数据保留天数');
  await user.type(days, '0');
  expect(days).toBeInvalid();
  await user.click(saveButton());
  expect(days).toHaveFocus();
  expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('offers some models, or none', async () => {
  const { calls, user } = open({
    'PUT /api/settings': ({ body }) => replyWith(1, (body as SettingsChange).settings),
  });
  await user.click(await screen.findByRole('checkbox', { name: /全部模型/ }));
  await user.click(screen.getByRole('checkbox', { name: 'small' }));
  await user.click(saveButton());
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      settings: { models: ['large'] },
    }),
  );
});

test('uploads a logo, previews and removes it; a large one is not sent', async () => {
  const { calls, user } = open({ 'PUT /api/settings/logo': () => ({ logo: 'abc' }) });
  const input = await screen.findByLabelText('选择图片');
  await user.upload(input, new File([new Uint8Array(300 * 1024)], 'large.png', { type: 'image/png' }));
  expect(screen.getByText('图片超过 256 KB，请压缩后再试')).toBeVisible();
  expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  await user.upload(input, new File(['png'], 'logo.png', { type: 'image/png' }));
  expect(await screen.findByRole('img', { name: '当前标志' })).toHaveAttribute('src', '/api/desk/logo?v=abc');
  await user.click(screen.getByRole('button', { name: '恢复默认标志' }));
  expect(screen.queryByRole('img', { name: '当前标志' })).toBeNull();
  expect(input).toHaveFocus();
});

test('lists the history and restores a revision, but not over unsaved changes', async () => {
  const entry = (revision: number, after: string) => ({
    revision,
    changedAt: '2026-11-20T08:00:00.000Z',
    changedBy: revision === 1 ? null : 'lin',
    changes: [{ field: 'texts.zh.name', before: '', after }],
  });
  const { calls, toasts, user } = open({
    'GET /api/settings': () => replyWith(2),
    'GET /api/settings/history': ({ params }) =>
      params.cursor === 'next'
        ? { revisions: [entry(1, '甲')], nextCursor: null }
        : { revisions: [entry(2, '乙')], nextCursor: 'next' },
    'POST /api/settings/restore': () => replyWith(3, settingsWith({ zh: { name: '甲' } })),
  });
  const history = await screen.findByRole('region', { name: '修改记录' });
  expect(await within(history).findByText('名称（中文）：（默认） → 乙')).toBeVisible();
  await user.click(within(history).getByRole('button', { name: '显示更多' }));
  const [, old] = await within(history).findAllByRole('listitem');
  expect(old).toHaveTextContent('已删除的账号');
  const restore = within(old!).getByRole('button', { name: /恢复到/ });
  await user.type(await name(), 'x');
  await user.click(restore);
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
  await user.clear(await name());
  await user.click(restore);
  await waitFor(() => expect(toasts.at(-1)).toEqual({ kind: 'success', text: '已恢复' }));
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ revision: 2, to: 1 });
  expect(await name()).toHaveValue('甲');
});

test('earlier changes that arrive after the settings were saved do not replace the history', async () => {
  const held = Promise.withResolvers<object>();
  const entryOf = (revision: number, changedBy: string) => ({
    revision,
    changedAt: '2026-11-20T08:00:00.000Z',
    changedBy,
    changes: [],
  });
  let newest = [entryOf(1, 'anna')];
  const { user } = open({
    'GET /api/settings/history': ({ params }) =>
      params.cursor ? held.promise : { revisions: newest, nextCursor: 'next' },
    'PUT /api/settings': ({ body }) => replyWith(2, (body as SettingsChange).settings),
  });
  const history = within(await screen.findByRole('region', { name: '修改记录' }));
  await user.click(await history.findByRole('button', { name: '显示更多' }));
  newest = [entryOf(2, 'lin'), ...newest];
  await user.type(await name(), '客服');
  await user.click(saveButton());
  expect(await history.findByText(/^lin/)).toBeVisible();
  await act(async () => held.resolve({ revisions: [entryOf(0, 'old')], nextCursor: null }));
  expect(history.getByText(/^lin/)).toBeVisible();
  expect(history.queryByText(/^old/)).toBeNull();
});
