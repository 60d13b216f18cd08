import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useStream } from 'host/ui/use-stream.ts';
import type { SwitchableI18n } from '../i18n/create-i18n.ts';
import {
  createOpsServer,
  OPS_TOKEN,
  sampleComposition,
  samplePending,
  sampleRow,
} from '../testing/ops-server.ts';
import { type Answer, createStandInServices, failure, type StandIns } from '../testing/stand-in-services.ts';
import CompositionScreen from './composition-screen.tsx';

// Otherwise the first test would wait for the library to load.
beforeAll(() => import('host/ui/charts/bar-charts.tsx').then(() => undefined));

function Screen({ services }: Pick<StandIns, 'services'>) {
  const language = useStream(services.i18n.language$);
  return <CompositionScreen services={services} language={language} controls={null} />;
}

interface Scene {
  server?: ReturnType<typeof createOpsServer>;
  instead?: Record<string, Answer>;
  language?: 'zh' | 'en';
}

function open({ server = createOpsServer(), instead = {}, language = 'zh' }: Scene = {}) {
  const answers: Answer = (call) => (instead[`${call.method} ${call.url}`] ?? server.answer)(call);
  const standIns = createStandInServices({ answers, language, token: 'mine', username: 'lin' });
  const view = render(<Screen services={standIns.services} />);
  const changes = () =>
    standIns.calls
      .filter(({ method, url }) => method !== 'GET' && !['/ops/session', '/ops/check'].includes(url))
      .map(({ method, url, body }) => ({ call: `${method} ${url}`, ...(body as object) }));
  return { ...standIns, ...view, server, changes, user: userEvent.setup() };
}
type Opened = ReturnType<typeof open>;

const button = (name: string | RegExp) => screen.findByRole('button', { name });

async function enterToken(user: Opened['user'], token = OPS_TOKEN) {
  const dialog = await screen.findByRole('dialog', { name: '运维令牌' });
  const field = within(dialog).getByLabelText('运维令牌');
  await user.clear(field);
  await user.type(field, token);
  await user.click(within(dialog).getByRole('button', { name: '继续' }));
}

async function choose(user: Opened['user'], remote: string, version: string) {
  await user.click(await button(new RegExp(`^${remote}@.*：选择要换上的版本`)));
  await user.click(await screen.findByRole('menuitemradio', { name: new RegExp(version) }));
}

test('shows what is live, since when, by whom and why, with shortened ids', async () => {
  open();
  const live = await screen.findByRole('region', { name: '正在服务' });
  expect(within(live).getByText('77777777').getAttribute('title')).toBe('7'.repeat(64));
  await waitFor(() => expect(live).toHaveTextContent('原因：records are faster'));
  expect(live).toHaveTextContent('由 ops-li 切换，主机和 2 个模块');
  expect(within(live).getByRole('img', { name: '流量：77777777 占 100%' })).toBeVisible();
});

test('rolls back: asks for the token once, shows the changes, and sends author, reason and revision', async () => {
  const { user, changes, calls, toasts } = open();
  await user.click(await button('回滚到 55555555'));
  await enterToken(user);

  const dialog = await screen.findByRole('dialog', { name: '回滚到 55555555' });
  expect(await within(dialog).findByText('mfe-records 1.0.0 → 0.9.0')).toBeVisible();
  await user.type(within(dialog).getByLabelText('原因'), 'slow');
  await user.click(within(dialog).getByRole('button', { name: '回滚' }));

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(changes()).toEqual([
    {
      call: 'POST /ops/pointer/rollback',
      to: '5'.repeat(64),
      author: 'lin',
      reason: 'slow',
      revision: 2,
    },
  ]);
  const sent = calls.find(({ url }) => url === '/ops/pointer/rollback');
  expect(sent?.headers).toMatchObject({ Authorization: 'Bearer ops.lease' });
  expect(within(screen.getByRole('region', { name: '正在服务' })).getByText('55555555')).toBeVisible();
  expect(toasts.at(-1)).toMatchObject({
    kind: 'success',
    text: expect.stringMatching(/^已回滚到 55555555，用时 /),
  });

  // The token is available now.
  await user.click(await button('回滚到 77777777'));
  expect(await screen.findByRole('dialog', { name: '回滚到 77777777' })).toBeVisible();
});

test('names the environment, and promotes what is live in another one', async () => {
  const server = createOpsServer();
  const composition = sampleComposition('9', { 'mfe-chat': '1.5.0' });
  const staging = { name: 'staging', isOwn: false, revision: 8, movedAt: '2026-07-15T01:10:00Z' };
  server.environments = [{ ...staging, composition }];
  const { user, changes, toasts } = open({ server });

  const others = await screen.findByRole('region', { name: '其他环境' });
  expect(within(screen.getByRole('region', { name: '正在服务' })).getByText('production')).toBeVisible();
  expect(others).toHaveTextContent('staging99999999');
  expect(within(others).getByText('mfe-chat 1.0.0 → 1.5.0')).toBeVisible();
  await user.click(within(others).getByRole('button', { name: '推送到 production' }));
  await enterToken(user);
  const dialog = await screen.findByRole('dialog', { name: '从 staging 推送' });
  expect(within(dialog).getByText('mfe-chat 1.0.0 → 1.5.0')).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: '推送' }));

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(changes()).toEqual([
    {
      call: 'POST /ops/pointer',
      releases: ['mfe-chat@1.5.0'],
      without: [],
      promotedFrom: { environment: 'staging', composition: composition.id, revision: 8 },
      author: 'lin',
      reason: '',
      revision: 2,
    },
  ]);
  expect(toasts.at(-1)?.text).toMatch(/^已从 staging 推送 cccccccc，用时 /);
  expect(within(others).getByText('与这里相同')).toBeVisible();
  expect(within(others).queryByRole('button')).toBeNull();
});

test('撤销 in the toast undoes a switch immediately', async () => {
  const { user, changes, toasts } = open();
  await choose(user, 'mfe-chat', '1.5.0');
  await user.click(await button('切换'));
  await enterToken(user);
  const dialog = await screen.findByRole('dialog', { name: '切换到所选版本' });
  expect(within(dialog).getByText('mfe-chat 1.0.0 → 1.5.0')).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: '切换' }));
  await waitFor(() => expect(toasts.at(-1)?.action?.label).toBe('撤销'));

  act(() => toasts.at(-1)!.action!.run());

  await waitFor(() => expect(changes()).toHaveLength(2));
  expect(changes()[0]).toMatchObject({
    call: 'POST /ops/pointer',
    releases: ['mfe-chat@1.5.0'],
    revision: 2,
  });
  expect(changes()[1]).toMatchObject({
    call: 'POST /ops/pointer/rollback',
    to: '7'.repeat(64),
    revision: 3,
    reason: '撤销：切换到所选版本',
  });
  await waitFor(() => expect(toasts.at(-1)?.text).toMatch(/^已回滚到 77777777/));
  expect(toasts.at(-1)?.action).toBeUndefined();
});

test('chooses, checks and switches several remotes in one step', async () => {
  const { user, changes } = open();
  await choose(user, 'mfe-chat', '1.5.0');
  const plan = screen.getByRole('region', { name: '待切换' });
  expect(within(plan).getByText('mfe-chat 1.0.0 → 1.5.0')).toBeVisible();
  await user.click(within(plan).getByRole('button', { name: '差异' }));
  expect(await within(plan).findByText(/mfe-chat@1\.5\.0 chat\.1\.5\.0\.js/)).toBeVisible();
  await user.click(within(plan).getByRole('button', { name: '检查' }));
  await enterToken(user);
  expect(
    await within(plan).findByText('检查通过，用时 340 ms：12 个文件可取、3 个名称不冲突。'),
  ).toBeVisible();
  await choose(user, 'mfe-records', '1.5.0');
  // The check was one of another plan.
  expect(within(plan).queryByText(/检查通过/)).toBeNull();

  await user.click(within(plan).getByRole('button', { name: '切换' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '切换' }));

  await waitFor(() => expect(screen.queryByRole('region', { name: '待切换' })).toBeNull());
  expect(changes()).toMatchObject([
    { call: 'POST /ops/pointer', releases: ['mfe-chat@1.5.0', 'mfe-records@1.5.0'] },
  ]);
});

test('choosing the live version removes a remote from the plan', async () => {
  const { user } = open();
  await choose(user, 'mfe-chat', '1.5.0');
  expect(screen.getByRole('region', { name: '待切换' })).toBeVisible();
  await choose(user, 'mfe-chat', '1.0.0');
  expect(screen.queryByRole('region', { name: '待切换' })).toBeNull();
});

test('shows findings with remote, rule and advice, and keeps the plan', async () => {
  const server = createOpsServer();
  server.findings = [
    {
      rule: 'shared',
      remote: 'mfe-chat',
      release: 'mfe-chat@1.5.0',
      message: '需要 react ^20.0.0',
      advice: '先发布新的 host',
    },
  ];
  const { user, changes } = open({ server });
  await choose(user, 'mfe-chat', '1.5.0');
  await user.click(await button('切换'));
  await enterToken(user);
  const dialog = await screen.findByRole('dialog', { name: '切换到所选版本' });
  await user.type(within(dialog).getByLabelText('原因'), 'new words');
  await user.click(within(dialog).getByRole('button', { name: '切换' }));

  expect(await within(dialog).findByText('检查没有通过，线上内容没有改变。')).toBeVisible();
  const [finding] = within(within(dialog).getByRole('list', { name: '检查结果' })).getAllByRole('listitem');
  expect(finding).toHaveTextContent('mfe-chat@1.5.0共享库需要 react ^20.0.0先发布新的 host');
  expect(within(dialog).getByLabelText('原因')).toHaveValue('new words');

  server.findings = [];
  await user.click(within(dialog).getByRole('button', { name: '切换' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(changes()).toHaveLength(2);
});

test('shows a failing version, its number of delivered pages, and warnings of a check', async () => {
  const server = createOpsServer();
  server.health.rows = [
    sampleRow('host', '1.0.0', { served: 1200, opened: 800, loads: 3, isFailing: true }),
    sampleRow('mfe-chat', '1.0.0'),
  ];
  const finding = { rule: 'exposes', remote: 'mfe-chat', release: 'mfe-chat@1.5.0' } as const;
  server.warnings = [{ ...finding, message: '没有页面显示它', advice: '发布新的 host' }];
  const { user } = open({ server });
  const table = await screen.findByRole('region', { name: '模块与健康表' });
  expect(within(table).getAllByText('无法正常使用')).toHaveLength(1);
  await user.click(await button('host@1.0.0 的趋势'));
  expect(screen.getByText('送出 1,200 页，浏览器打开 800 页')).toBeVisible();

  await choose(user, 'mfe-chat', '1.5.0');
  await user.click(await button('检查'));
  await enterToken(user);
  const warnings = await screen.findByRole('list', { name: '注意事项' });
  expect(warnings).toHaveTextContent('没有页面显示它');
});

test('shows warnings of a change beside what it made live, until the next change', async () => {
  const server = createOpsServer();
  const warned = { rule: 'exposes', remote: 'mfe-chat', release: 'mfe-chat@1.5.0' } as const;
  server.warnings = [{ ...warned, message: '没有页面显示它', advice: '发布新的 host' }];
  const { user } = open({ server });
  await choose(user, 'mfe-chat', '1.5.0');
  await user.click(await button('切换'));
  await enterToken(user);
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '切换' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const live = screen.getByRole('region', { name: '正在服务' });
  expect(within(live).getByRole('list', { name: '注意事项' })).toHaveTextContent('没有页面显示它');

  server.warnings = [];
  await user.click(await button('回滚到 77777777'));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '回滚' }));
  await waitFor(() => expect(screen.queryByRole('list', { name: '注意事项' })).toBeNull());
});

test('reports a concurrent change, keeps plan and reason, and can continue', async () => {
  const server = createOpsServer();
  const { user, changes, toasts } = open({ server });
  await choose(user, 'mfe-chat', '1.5.0');
  await user.click(await button('切换'));
  await enterToken(user);
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('原因'), 'mine');
  server.moveByOthers();
  await user.click(within(dialog).getByRole('button', { name: '切换' }));

  expect(await within(dialog).findByText(/刚才有别人更改了线上内容.*bbbbbbbb/)).toBeVisible();
  await waitFor(() =>
    expect(toasts.map(({ text }) => text)).toEqual(['ops-chen 刚刚更改了线上内容：bbbbbbbb 正在服务']),
  );
  expect(within(dialog).getByText('mfe-chat 1.0.0 → 1.5.0')).toBeVisible();
  expect(within(dialog).getByLabelText('原因')).toHaveValue('mine');
  await user.click(within(dialog).getByRole('button', { name: '切换' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(changes().map((change) => (change as { revision?: number }).revision)).toEqual([2, 3]);
});

test('shows a wrong ops token at its field and does not sign out', async () => {
  const { user, services } = open();
  await user.click(await button('输入运维令牌'));
  await enterToken(user, 'nonsense');
  expect(await screen.findByText('令牌不对，请核对后再输入')).toBeVisible();
  expect(services.token$.value).toBe('mine');
  const field = screen.getByLabelText('运维令牌', { selector: 'input' });
  expect(field).toHaveAttribute('type', 'password');
  expect(field).toHaveAttribute('autocomplete', 'off');
  await enterToken(user);
  expect(await screen.findByText(/剩 30 分钟/)).toBeVisible();
});

test('asks again for an expired token, and keeps the change with its reason', async () => {
  const { user, server, changes } = open();
  await user.click(await button('回滚到 55555555'));
  await enterToken(user);
  await user.type(await screen.findByLabelText('原因'), 'slow');
  server.expire();
  await user.click(screen.getByRole('button', { name: '回滚' }));
  await enterToken(user);
  expect(await screen.findByLabelText('原因')).toHaveValue('slow');
  await user.click(screen.getByRole('button', { name: '回滚' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(changes()).toHaveLength(2);
});

test('the token is not stored, and cleared on request and with the session', async () => {
  const { user, kept, services } = open();
  await user.click(await button('输入运维令牌'));
  await enterToken(user);
  expect(await button(/^令牌 ops/)).toHaveFocus();
  await user.click(await button('清除令牌'));
  expect(await button('输入运维令牌')).toHaveFocus();
  await user.click(await button('输入运维令牌'));
  await enterToken(user);
  await button('清除令牌');
  expect(JSON.stringify([...kept])).not.toContain('ops.lease');
  expect(JSON.stringify([...kept])).not.toContain(OPS_TOKEN);
  act(() => services.session.forget());
  expect(await button('输入运维令牌')).toBeVisible();
});

test('a canary is started, gets another share, and is promoted', async () => {
  const { user, changes, server } = open();
  await choose(user, 'mfe-chat', '1.5.0');
  await user.click(screen.getByRole('radio', { name: '10%' }));
  await user.click(await button('开始灰度 10%'));
  await enterToken(user);
  const start = await screen.findByRole('dialog', { name: '开始灰度' });
  await user.click(within(start).getByRole('button', { name: '开始灰度 10%' }));
  expect(
    await screen.findByRole('img', { name: '流量：77777777 占 90%，灰度 cccccccc 占 10%' }),
  ).toBeVisible();

  const shares = screen.getByRole('radiogroup', { name: '灰度比例' });
  expect(within(shares).getByRole('radio', { name: '10%' })).toBeChecked();
  await user.click(within(shares).getByRole('radio', { name: '25%' }));
  await user.click(await button('改为 25%'));
  expect(await screen.findByRole('img', { name: /灰度 cccccccc 占 25%/ })).toBeVisible();

  await user.click(await button('全量切换到 cccccccc'));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText('mfe-chat 1.0.0 → 1.5.0')).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: '全量切换' }));
  await waitFor(() => expect(server.pointer.composition.id).toBe('c'.repeat(64)));
  const canary = 'c'.repeat(64);
  expect(changes()).toMatchObject([
    { call: 'POST /ops/canary', releases: ['mfe-chat@1.5.0'], share: 10 },
    { call: 'PATCH /ops/canary', canary, share: 25 },
    { call: 'POST /ops/canary/promote', canary },
  ]);
});

test('arrow keys move the focus among the shares, and only Enter or Space chooses', async () => {
  const server = createOpsServer();
  server.pointer = { ...server.pointer, canary: canaryOf() };
  const { user, changes } = open({ server });
  (await screen.findByRole('radio', { name: '10%' })).focus();
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('radio', { name: '25%' })).toHaveFocus();
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('dialog', { name: '运维令牌' })).toBeVisible();
  expect(changes()).toEqual([]);
});

test('shows why a canary was halted in the language of the page, and can restart or end it', async () => {
  const server = createOpsServer();
  const halted = {
    at: '2026-07-15T02:00:00Z',
    reason:
      'mfe-chat@1.5.0：60 个页面中 18 个失败，线上 63 个中 0 个。It failed in 18 of 60 pages, what is live in 0 of 63.',
  };
  server.pointer = { ...server.pointer, canary: { ...canaryOf(), halted } };
  const { user, services } = open({ server });
  expect(
    await screen.findByText(/灰度自行停止。mfe-chat@1\.5\.0：60 个页面.*线上 63 个中 0 个。访客现在/),
  ).toBeVisible();
  expect(screen.queryByText(/It failed/)).toBeNull();
  expect(screen.getByRole('img', { name: /灰度 cccccccc 占 0%/ })).toBeVisible();
  // The server would reject promoting it.
  expect(screen.queryByRole('button', { name: /全量切换/ })).toBeNull();
  expect(await button('结束灰度')).toBeVisible();

  const shares = screen.getByRole('radiogroup', { name: '重新开始灰度' });
  expect(within(shares).queryByRole('radio', { name: '0%' })).toBeNull();
  await user.click(within(shares).getByRole('radio', { name: '10%' }));
  await enterToken(user);
  expect(await screen.findByText('看到灰度 cccccccc 的访客由 0% 改为 10%。')).toBeVisible();
  const { setLanguage } = services.i18n as SwitchableI18n;
  await act(() => setLanguage('en'));
  expect(
    await screen.findByText(/mfe-chat@1\.5\.0: It failed in 18 of 60 pages, what is live in 0 of 63\. All/),
  ).toBeVisible();
});

test('shows the steps of a canary, and can pause and continue them', async () => {
  const server = createOpsServer();
  const plan = { steps: [10, 25, 100], everySeconds: 600, minPages: 20, since: '2026-07-15T01:52:00Z' };
  server.pointer = { ...server.pointer, canary: { ...canaryOf(), plan } };
  const { user, changes } = open({ server });
  const steps = await screen.findByRole('list', { name: '灰度的步骤' });
  expect(within(steps).getByText('10%')).toHaveAttribute('aria-current', 'step');
  expect(screen.getByText(/^下一步 25%，最早 .*每步要有 20 个页面正常加载。$/)).toBeVisible();

  await user.click(await button('暂停'));
  await enterToken(user);
  await user.click(await button('暂停灰度'));
  expect(await screen.findByText(/暂停。$/)).toBeVisible();
  expect(changes().at(-1)).toMatchObject({
    call: 'POST /ops/canary/pause',
    canary: 'c'.repeat(64),
    revision: 2,
  });
  expect(await button('继续')).toBeVisible();
});

test('shows each of several canaries, and what prevents changes', async () => {
  const server = createOpsServer();
  const other = {
    ...canaryOf(),
    id: 'd'.repeat(64),
    share: 25,
    composition: sampleComposition('d', { 'mfe-records': '1.1.0' }),
  };
  server.pointer = {
    ...server.pointer,
    canary: canaryOf(),
    canaries: [canaryOf(), other],
    freeze: { until: '2026-12-01T08:00:00Z', at: other.startedAt, author: 'anna', reason: '大促' },
    pins: [{ part: 'mfe-auth', at: other.startedAt, author: 'wang', reason: 'legal' }],
  };
  open({ server });
  expect(await screen.findByRole('img', { name: /灰度 cccccccc 占 10%/ })).toBeVisible();
  expect(screen.getByRole('img', { name: /灰度 dddddddd 占 25%/ })).toBeVisible();
  expect(screen.getByRole('radiogroup', { name: '灰度比例 mfe-records' })).toBeVisible();
  const health = screen.getByRole('table');
  expect(within(health).getAllByText('灰度中')).toHaveLength(2);
  expect(screen.getByText(/^线上内容已由 anna 冻结到.*：大促/)).toBeVisible();
  expect(screen.getByText(/^mfe-auth 已由 wang 锁定：legal/)).toBeVisible();
});

test('changing a canary does not change the time since when the live composition is live', async () => {
  const server = createOpsServer();
  const { at } = server.moves.find(({ kind }) => kind === 'set')!;
  server.pointer = {
    ...server.pointer,
    canary: canaryOf(),
    movedAt: new Date(2020, 4, 3, 2, 1).toISOString(),
  };
  open({ server });
  const live = await screen.findByRole('region', { name: '正在服务' });
  await waitFor(() => expect(live).toHaveTextContent('原因：records are faster'));
  expect(live).not.toHaveTextContent('2020 年');
  expect(new Date(at).getFullYear()).not.toBe(2020);
});

test('explains what a composition and a canary are', async () => {
  open();
  const live = await screen.findByRole('region', { name: '正在服务' });
  expect(live).toHaveTextContent('组合是主机与各模块的一整套版本');
  expect(live).toHaveTextContent('灰度先让一部分访客用上另一个组合');
});

test('warns of a canary that fails more often, with a button to end it', async () => {
  const server = createOpsServer();
  server.pointer = { ...server.pointer, canary: canaryOf() };
  server.health.rows = [
    sampleRow('mfe-chat', '1.0.0', { errors: 1, share: 90 }),
    sampleRow('mfe-chat', '1.5.0', { errors: 7, share: 10 }),
  ];
  const { user } = open({ server });
  expect(await screen.findByText('灰度中的 mfe-chat@1.5.0，脚本错误率是 1.0.0 的 7 倍。')).toBeVisible();
  const banner = screen.getByText(/脚本错误率/).closest<HTMLElement>('[role=status]')!;
  await user.click(within(banner).getByRole('button', { name: '停止灰度' }));
  expect(await screen.findByRole('dialog', { name: '运维令牌' })).toBeVisible();
});

test('shows health by remote and version, versions in old tabs, and a trend that can be shown as a table', async () => {
  const server = createOpsServer();
  const series = [
    { at: '2026-07-15T00:30:00Z', loads: 40, failures: 1, errors: 0 },
    { at: '2026-07-15T00:31:00Z', loads: 0, failures: 0, errors: 0 },
    { at: '2026-07-15T00:32:00Z', loads: 60, failures: 2, errors: 1 },
  ];
  const lastErrors = [
    {
      kind: 'failure' as const,
      error: 'ChunkLoadError: a',
      count: 3,
      lastAt: '2026-07-15T00:32:00Z',
      composition: 'd'.repeat(64),
    },
  ];
  server.health.rows.push(
    sampleRow('mfe-records', '0.9.0', { share: 8.4, loads: 100, failures: 3, errors: 1, series, lastErrors }),
  );
  const { user } = open({ server });
  const table = await screen.findByRole('table');
  const row = await within(table).findByRole('row', { name: /0\.9\.0/ });
  expect(row).toHaveTextContent('旧页面8.4%100偏高 32.9%偏高 11%1.2 s96 ms0.04');

  // The version with the most failures is selected first.
  const trend = screen.getByRole('region', { name: 'mfe-records@0.9.0 的趋势' });
  expect(within(trend).getByRole('img', { name: /加载 100 次，加载失败 3 次，脚本错误 1 个/ })).toBeVisible();
  expect(within(trend).getByText('ChunkLoadError: a')).toBeVisible();
  expect(within(trend).getByText(/3 次.*组合 dddddddd/)).toBeVisible();
  await user.click(within(trend).getByRole('button', { name: '看表格' }));
  expect(within(within(trend).getByRole('table')).getAllByRole('row')).toHaveLength(3);

  await user.click(screen.getByRole('button', { name: 'host@1.0.0 的趋势' }));
  expect(screen.getByRole('region', { name: 'host@1.0.0 的趋势' })).toBeVisible();
});

test('requests another period', async () => {
  const { user, calls } = open();
  await user.click(await screen.findByRole('radio', { name: '7 天' }));
  await waitFor(() =>
    expect(calls.filter(({ url }) => url === '/ops/health').at(-1)?.params).toEqual({ minutes: 10_080 }),
  );
});

test('compares two compositions: files, bytes, screens and shared libraries', async () => {
  const { user } = open();
  const diff = await screen.findByRole('region', { name: '差异' });
  expect(await within(diff).findByText('1 项更改，传输量多 1.4 KB')).toBeVisible();
  const lines = within(diff)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  expect(lines).toEqual([
    '=没有变的：host@1.0.0、mfe-chat@1.0.0',
    '−去掉 mfe-records@0.9.0 mfe-records.0.9.0.js2 KB',
    '+新增 mfe-records@1.0.0 mfe-records.1.0.0.js2 KB',
    '=mfe-records 3 个文件不变',
    '~更改 mfe-records 新增界面 ./extra',
    '~更改 mfe-records 共享库 react ^18.0.0 → ^19.0.0',
  ]);
  await user.selectOptions(within(diff).getByLabelText('从'), '7'.repeat(64));
  expect(await within(diff).findByText('两个组合的内容相同。')).toBeVisible();
});

test('shows the history newest first, older entries on demand, and rolls back to any of them', async () => {
  const server = createOpsServer();
  const [latest, first] = server.moves;
  server.moves = [
    latest!,
    ...Array.from({ length: 30 }, (_, index) => ({ ...first!, revision: 1 - index, from: '0'.repeat(64) })),
  ];
  const { user } = open({ server });
  const history = await screen.findByRole('complementary', { name: '历史' });
  await waitFor(() => expect(within(history).getAllByRole('listitem')).toHaveLength(20));
  expect(within(history).getAllByRole('listitem')[0]).toHaveTextContent(
    '77777777正在服务mfe-records 0.9.0 → 1.0.0',
  );
  await user.click(within(history).getByRole('button', { name: '更早的' }));
  await waitFor(() => expect(within(history).getAllByRole('listitem')).toHaveLength(31));
  expect(within(history).queryByRole('button', { name: '更早的' })).toBeNull();
  await user.click(within(history).getAllByRole('button', { name: /^回滚到此：55555555/ })[0]!);
  await enterToken(user);
  expect(await screen.findByRole('dialog', { name: '回滚到 55555555' })).toBeVisible();
});

test('the first composition has nothing to roll back to or compare with', async () => {
  const server = createOpsServer();
  const only = sampleComposition('7');
  server.pointer = { ...server.pointer, previous: null };
  server.health.rows = [];
  open({ server, instead: { 'GET /ops/compositions': () => ({ compositions: [only], nextCursor: null }) } });
  expect(await screen.findByText('这是第一个组合，还没有可以回滚的。')).toBeVisible();
  expect(screen.getByText(/只有一个组合/)).toBeVisible();
  expect(await screen.findByText(/这段时间还没有页面上报/)).toBeVisible();
});

test('reports a failure, and another attempt loads the screen', async () => {
  let isDown = true;
  const server = createOpsServer();
  const down: Answer = (call) => {
    if (isDown) throw failure(0, 'offline', '连不上服务器');
    return server.answer(call);
  };
  const { user } = open({ server, instead: { 'GET /ops/pointer': down } });
  expect(await screen.findByRole('alert')).toHaveTextContent('发布信息暂时打不开连不上服务器');
  isDown = false;
  await user.click(await button('重试'));
  expect(await screen.findByRole('region', { name: '正在服务' })).toBeVisible();
});

test('if only health fails, the rest is shown, with a separate retry', async () => {
  const broken: Answer = () => {
    throw failure(503, 'unavailable', '服务器正忙');
  };
  open({ instead: { 'GET /ops/health': broken } });
  expect(await screen.findByRole('region', { name: '正在服务' })).toBeVisible();
  expect(await screen.findByRole('alert')).toHaveTextContent('健康数据暂时取不到服务器正忙');
});

test('polls every 15 s while visible, and reports when that fails', async () => {
  jest.useFakeTimers();
  try {
    let isDown = false;
    const server = createOpsServer();
    const pointer: Answer = (call) => {
      if (isDown) throw failure(0, 'offline', '连不上服务器');
      return server.answer(call);
    };
    const { calls } = open({ server, instead: { 'GET /ops/pointer': pointer } });
    const looks = () => calls.filter(({ url }) => url === '/ops/pointer').length;
    await act(() => jest.advanceTimersByTimeAsync(100));
    expect(looks()).toBe(1);
    server.moveByOthers();
    await act(() => jest.advanceTimersByTimeAsync(15_000));
    expect(looks()).toBe(2);
    expect(within(screen.getByRole('region', { name: '正在服务' })).getByText('bbbbbbbb')).toBeVisible();

    const seen = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await act(() => jest.advanceTimersByTimeAsync(60_000));
    expect(looks()).toBe(2);

    isDown = true;
    seen.mockReturnValue('visible');
    act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await act(() => jest.advanceTimersByTimeAsync(100));
    expect(looks()).toBe(3);
    expect(screen.getByText(/^没能刷新，这里是/)).toBeVisible();
  } finally {
    jest.useRealTimers();
  }
});

test('is translated to English, including numbers', async () => {
  open({ language: 'en' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Releases' })).toBeVisible();
  expect(await button('Roll back to 55555555')).toBeVisible();
  expect(screen.getByRole('radiogroup', { name: 'Time range' })).toBeVisible();
});

test('shows no hint of a new version while a change is being prepared', async () => {
  const { user, services } = open();
  const { isHeld$ } = services.updates as typeof services.updates & { isHeld$: { value: boolean } };
  await choose(user, 'mfe-chat', '1.5.0');
  expect(isHeld$.value).toBe(true);
  await user.click(await button('全部放弃'));
  expect(isHeld$.value).toBe(false);
});

function canaryOf() {
  return {
    id: 'c'.repeat(64),
    composition: sampleComposition('c', { 'mfe-chat': '1.5.0' }),
    share: 10,
    author: 'ops-li',
    reason: '',
    startedAt: '2026-07-15T01:52:00Z',
    halted: null,
    paused: null,
    plan: null,
  };
}

test('a change that needs a second token is requested, and nothing is shown as live', async () => {
  const server = createOpsServer();
  server.needsApproval = true;
  const { user, toasts } = open({ server });
  await choose(user, 'mfe-chat', '1.5.0');
  await user.click(await button('切换'));
  await enterToken(user);
  const dialog = await screen.findByRole('dialog', { name: '切换到所选版本' });
  await user.click(within(dialog).getByRole('button', { name: '切换' }));
  const pending = await screen.findByRole('region', { name: '等待批准' });
  expect(pending).toHaveTextContent('mfe-chat@1.5.0');
  expect(toasts.map(({ text }) => text)).toContain('已提出，等待另一个令牌批准');
  expect(within(await screen.findByRole('region', { name: '正在服务' })).getByText('77777777')).toBeVisible();
});

test('approves and rejects changes that others requested', async () => {
  const server = createOpsServer();
  server.pending = [
    samplePending({ reason: 'faster', author: 'zhang' }),
    samplePending({ id: '00000001', names: ['mfe-records@1.5.0'] }),
    samplePending({ id: '00000002', state: 'expired', names: ['host@1.5.0'] }),
  ];
  const { user, changes } = open({ server });
  const pending = await screen.findByRole('region', { name: '等待批准' });
  expect(pending).toHaveTextContent('li（zhang） 在');
  expect(pending).not.toHaveTextContent('host@1.5.0');
  await user.click(await button('拒绝：切换 mfe-records@1.5.0'));
  await enterToken(user);
  await waitFor(() => expect(pending).not.toHaveTextContent('mfe-records'));
  await user.click(await button('批准并生效：切换 mfe-chat@1.5.0'));
  await waitFor(() => expect(screen.queryByRole('region', { name: '等待批准' })).toBeNull());
  expect(changes().map(({ call }) => call)).toEqual([
    'POST /ops/changes/00000001/reject',
    'POST /ops/changes/3f9c21aa/approve',
  ]);
});

test('creates and revokes tokens with an admin token', async () => {
  const { user, changes } = open();
  await user.click(await button('输入运维令牌'));
  await enterToken(user);
  await user.click(await button(/^令牌 ops，.*剩 \d+ 分钟$/));
  const dialog = await screen.findByRole('dialog', { name: '令牌' });
  const create = () => user.click(within(dialog).getByRole('button', { name: '建立' }));
  expect(within(dialog).getByLabelText('名称')).toHaveFocus();
  expect(within(dialog).queryAllByRole('alert')).toEqual([]);
  await create();
  const name = within(dialog).getByLabelText('名称');
  expect(name).toHaveFocus();
  expect(name).toBeInvalid();
  expect(within(dialog).getByRole('alert')).toHaveTextContent('请填写符合要求的名称');
  await user.type(name, 'ci-chat');
  await user.type(within(dialog).getByLabelText('权限'), 'release:mfe-chat root');
  await create();
  expect(dialog).toHaveTextContent('权限 root 不正确');
  await user.clear(within(dialog).getByLabelText('权限'));
  await user.type(within(dialog).getByLabelText('权限'), 'release:mfe-chat preview');
  await create();
  expect(await within(dialog).findByText(`desk_${'0'.repeat(64)}`)).toBeVisible();
  expect(name).toHaveValue('');
  await user.click(await within(dialog).findByRole('button', { name: '撤销令牌 ci-chat' }));
  await user.click(within(dialog).getByRole('button', { name: '确认撤销令牌 ci-chat' }));
  expect(await within(dialog).findByText('已撤销')).toBeVisible();
  expect(dialog).toContainElement(document.activeElement as HTMLElement);
  expect(changes()).toEqual([
    {
      call: 'POST /ops/tokens',
      name: 'ci-chat',
      scopes: ['release:mfe-chat', 'preview'],
      expiresAt: null,
    },
    { call: 'POST /ops/tokens/id-of-ci-chat/revoke' },
  ]);
});

test('the list of tokens is read again whenever it is opened', async () => {
  const { user, server } = open();
  await user.click(await button('输入运维令牌'));
  await enterToken(user);
  await user.click(await button(/^令牌 ops，/));
  const listed = async () => within(await screen.findByRole('list', { name: '令牌' }));
  expect(await (await listed()).findByText('ops')).toBeVisible();
  await user.keyboard('{Escape}');
  server.tokens = [{ ...server.tokens[0]!, name: 'renamed' }];
  await user.click(await button(/^令牌 ops，/));
  expect(await (await listed()).findByText('renamed')).toBeVisible();
  expect((await listed()).queryByText('ops')).toBeNull();
});

test('tokens are only offered to admin tokens', async () => {
  const server = createOpsServer();
  server.scopes = ['compose:production'];
  const { user } = open({ server });
  await user.click(await button('输入运维令牌'));
  await enterToken(user);
  expect(await button('清除令牌')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^令牌 ops/ })).toBeNull();
});

describe('an account without a password', () => {
  const operating = {
    'GET /api/settings/access': () => ({ rights: ['ask', 'operate'], isAdministrator: false }),
    'GET /admin/second-factor': () => ({ hasPassword: false, isOn: false, recoveryCodes: 0, passkeys: [] }),
    'POST /admin/sso/confirm': () => ({ url: 'https://provider.example/auth' }),
  };
  afterEach(() => window.history.replaceState(null, '', '/'));

  test('is sent to its provider', async () => {
    const { user, calls } = open({ instead: operating });
    await user.click(await button('输入运维令牌'));
    await waitFor(() =>
      expect(screen.getByRole('link', { name: '重新登录' })).toHaveAttribute(
        'href',
        'https://provider.example/auth',
      ),
    );
    expect(calls.find(({ url }) => url === '/admin/sso/confirm')?.body).toEqual({ purpose: 'operate' });
    await user.click(await button('改用运维令牌'));
    expect(
      within(screen.getByRole('dialog')).getByLabelText('运维令牌', { selector: 'input' }),
    ).toHaveFocus();
  });

  test('may make changes after the return, once', async () => {
    window.history.replaceState(null, '', '/composition?confirm=done');
    const expiresAt = new Date(Date.now() + 1_800_000).toISOString();
    const { calls } = open({
      instead: {
        ...operating,
        'POST /api/operate': () => ({
          token: 'ops.mine',
          name: '@lin',
          scopes: ['compose:production'],
          expiresAt,
        }),
      },
    });
    expect(await screen.findByText(/^令牌 @lin/)).toBeVisible();
    expect(window.location.search).toBe('');
    expect(calls.filter(({ url }) => url === '/api/operate').map(({ body }) => body)).toEqual([{}]);
  });

  test('is informed that the provider has not confirmed it', async () => {
    window.history.replaceState(null, '', '/composition?confirm=failed');
    const { toasts, calls } = open({ instead: operating });
    await waitFor(() =>
      expect(toasts).toMatchObject([{ kind: 'error', text: expect.stringContaining('没能确认') }]),
    );
    expect(calls.some(({ url }) => url === '/api/operate')).toBe(false);
  });
});

test('somebody who may operate enters the password of the account, or a token', async () => {
  const { user, calls } = open({
    instead: {
      'GET /api/settings/access': () => ({ rights: ['ask', 'operate'], isAdministrator: false }),
      'GET /admin/second-factor': () => ({ hasPassword: true, isOn: false, recoveryCodes: 0, passkeys: [] }),
      'POST /api/operate': ({ body }) => {
        if ((body as { password: string }).password !== 'my password')
          throw failure(403, 'forbidden', '密码错误');
        const expiresAt = new Date(Date.now() + 1_800_000).toISOString();
        return { token: 'ops.mine', name: '@lin', scopes: ['compose:production'], expiresAt };
      },
    },
  });
  await user.click(await button('输入运维令牌'));
  await user.type(await screen.findByLabelText('账号密码'), 'a guess');
  await user.click(await button('继续'));
  expect(await screen.findByText('密码错误')).toBeVisible();
  await user.click(await button('改用运维令牌'));
  expect(within(screen.getByRole('dialog')).getByLabelText('运维令牌', { selector: 'input' })).toHaveFocus();
  await user.click(await button('改用账号密码'));
  await user.type(await screen.findByLabelText('账号密码'), 'my password');
  await user.click(await button('继续'));
  expect(await screen.findByText(/^令牌 @lin/)).toBeVisible();
  expect(calls.filter(({ url }) => url === '/ops/session')).toHaveLength(0);
});
