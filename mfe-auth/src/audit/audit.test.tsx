import { expect, jest, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import type { AuditFilter } from 'api/contract/audit';
import { type Answers, failure } from 'host/stand-ins';
import { openScreen } from '../testing/open-screen.tsx';
import AuditScreen from './audit.tsx';
import { sampleAudit } from './testing/sample-audit.ts';

const open = (answers: Answers = {}) => openScreen(AuditScreen, { ...sampleAudit(), ...answers });

const rows = async () =>
  (await screen.findAllByRole('listitem')).map((row) =>
    within(row)
      .getAllByText(/./)
      .map((part) => part.textContent),
  );

test('says who did what to whom, when and from where', async () => {
  open();
  const seen = (await rows()).map((parts) => parts.join(' '));
  expect(seen).toHaveLength(6);
  expect(seen[0]).toMatch(/^咨询台 移除过期的审计条目 对象：0/);
  expect(seen[1]).toMatch(/^令牌 deploys 运维操作 .*POST \/ops\/pointer/);
  expect(seen[2]).toMatch(/^anna 更改权限 对象：已删除的账号/);
  expect(seen[3]).toMatch(/^未登录的访客 删除记录/);
  expect(seen[4]).toMatch(/^未知 登录失败 对象：anna .*来自 192\.0\.2\.7/);
  expect(seen[5]).toMatch(/^anna 登录 (?!对象)/);
  expect(screen.getByText('登录失败', { selector: 'span' })).toHaveClass('warning');
  expect(screen.getByText('登录', { selector: 'span' })).not.toHaveClass('warning');
});

test('is filtered by area, account and day', async () => {
  const { user, calls } = open();
  await rows();
  await user.selectOptions(screen.getByLabelText('范围'), '删除');
  await user.type(screen.getByLabelText('用户名'), ' anna ');
  await user.type(screen.getByLabelText('开始日期'), '2026-11-01');
  await user.type(screen.getByLabelText('结束日期'), '2026-11-30');
  const filters = () =>
    calls.filter(({ url }) => url === '/api/audit/search').map(({ body }) => body as AuditFilter);
  await waitFor(() =>
    expect(filters().at(-1)).toMatchObject({
      area: 'deletions',
      username: 'anna',
      from: '2026-11-01',
      to: '2026-11-30',
    }),
  );
});

test('tells whether the log was changed', async () => {
  let brokenAt: number | null = null;
  const { user } = open({
    'POST /api/audit/verify': () => ({ entries: 2, last: { number: 2, hash: 'abc' }, brokenAt }),
  });
  await rows();
  await user.click(screen.getByRole('button', { name: '检查完整性' }));
  expect(await screen.findByText(/共 2 条，没有改动或缺失。最新一条的校验值：abc/)).toBeVisible();
  brokenAt = 3;
  await user.click(screen.getByRole('button', { name: '检查完整性' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('第 3 条被改动过');
});

test('says whether copying to the webhook is delayed', async () => {
  let failure: string | null = null;
  const { entries } = sampleAudit()['POST /api/audit/search']();
  const { user } = open({
    'POST /api/audit/search': () => ({
      entries,
      nextCursor: null,
      stream: { sentAt: null, waiting: 2, waitingSince: '2026-11-19T21:10:00.000Z', failure },
    }),
  });
  expect(await screen.findByText('发送到 Webhook 的副本：还有 2 条待发送。 尚未发送过。')).toBeVisible();
  failure = 'answered with status 503';
  await user.type(screen.getByLabelText('用户名'), 'anna');
  expect(await screen.findByText(/自 .*起有 2 条发送失败：answered with status 503。/)).toBeVisible();
});

test('is for administrators, and can be read again after a failure', async () => {
  let status = 503;
  const { user } = open({
    'POST /api/audit/search': () => {
      if (status === 503) {
        status = 403;
        throw failure(503, 'unavailable', '暂时不可用');
      }
      throw failure(status, 'forbidden', '没有权限');
    },
  });
  await user.click(await screen.findByRole('button', { name: '重试' }));
  expect(await screen.findByText('只有管理员可以查看审计日志')).toBeVisible();
  expect(screen.queryByRole('link', { name: '人员' })).toBeNull();
});

test('is downloaded with its filter, under its title', async () => {
  const { createObjectURL, revokeObjectURL } = URL;
  Object.assign(URL, { createObjectURL: () => 'blob:file', revokeObjectURL: () => undefined });
  const names: string[] = [];
  const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  const { user, calls } = open({ 'POST /api/audit/export': () => new Blob(['a']) });
  await user.selectOptions(screen.getByLabelText('范围'), '删除');
  await user.click(screen.getByRole('button', { name: '下载 CSV' }));
  await waitFor(() => expect(names).toEqual(['审计日志.csv']));
  expect(calls.find(({ url }) => url === '/api/audit/export')?.body).toMatchObject({ area: 'deletions' });
  click.mockRestore();
  Object.assign(URL, { createObjectURL, revokeObjectURL });
});
