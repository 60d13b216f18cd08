import type { Page } from 'playwright/test';
import type { PendingChange } from '../../api/src/contract/compositions.ts';
import type { CreatedToken } from '../../api/src/contract/tokens.ts';
import { checkScreen, expectNoOverflow } from './check-screen.ts';
import { replacingText } from './copy-build.ts';
import { call, OPS, publish } from './deploy.ts';
import { expect, HINT, test } from './desk-test.ts';
import { openAs } from './visit.ts';

test.setTimeout(240_000);

async function enterToken(page: Page, token: string) {
  await page.getByRole('button', { name: '输入运维令牌' }).click();
  await page.getByRole('textbox', { name: '运维令牌' }).fill(token);
  await page.getByRole('button', { name: '继续' }).click();
}

/** Checks a state by axe, and that it fits on a phone. */
async function checkState(page: Page, state: string) {
  await checkScreen(page, state);
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(() => expectNoOverflow(page, `${state} at 390`)).toPass({ timeout: 30_000 });
  await page.setViewportSize(size);
}

// Also in host/src/composition/composition-screen.test.tsx and the tests of the API.
test('an operator creates a token, and its owner requests a change that the operator approves', {
  tag: '@long',
}, async ({ page, newVisitor, startAnother }) => {
  const desk = await startAnother({ env: { ...OPS, PRODUCTION_APPROVALS: '2' } });
  await publish(desk, 'mfe-chat', '6.0.0', replacingText(HINT, '换了版本，请提问'));
  await openAs(page, desk.url, 'ops-li');
  await page.goto(`${desk.url}/chatbot/composition`);
  await enterToken(page, OPS.OPS_TOKEN);

  await page.getByRole('button', { name: /剩 \d+ 分钟/ }).click();
  const dialog = page.getByRole('dialog', { name: '令牌' });
  await dialog.getByLabel('名称').fill('wang');
  await dialog.getByLabel('权限').fill('compose:production');
  await dialog.getByLabel('有效天数').fill('90');
  await dialog.getByLabel('有效天数').press('Enter');
  const secret = dialog.getByText(/^desk_[0-9a-f]{64}$/);
  await expect(secret).toBeVisible();
  await checkState(page, 'tokens');
  const token = (await secret.textContent()) ?? '';
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  const change = { releases: ['mfe-chat@6.0.0'], author: 'wang', reason: '回答更快' };
  const response = await fetch(`${desk.url}/ops/pointer`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(change),
  });
  expect(response.status).toBe(202);
  const { id } = ((await response.json()) as { change: PendingChange }).change;

  await page.reload();
  const pending = page.getByRole('region', { name: '等待批准' });
  await expect(pending).toContainText('mfe-chat@6.0.0');
  await checkState(page, 'a pending change');
  await pending.getByRole('button', { name: '批准并生效：切换 mfe-chat@6.0.0' }).click();
  await page.getByRole('textbox', { name: '运维令牌' }).fill(OPS.OPS_TOKEN);
  await page.getByRole('button', { name: '继续' }).click();
  await expect(pending).toHaveCount(0);
  await expect(page.getByRole('complementary', { name: '历史' })).toContainText('wang + ops');
  const { changes } = await call<{ changes: PendingChange[] }>(desk, 'GET', '/ops/changes');
  expect(changes).toMatchObject([{ id, state: 'applied', approvedBy: 'ops' }]);

  const visitor = await newVisitor();
  await visitor.goto(`${desk.url}/chatbot/index`);
  await expect(visitor.getByText('换了版本，请提问')).toBeVisible();

  await page.getByRole('button', { name: /剩 \d+ 分钟/ }).click();
  await dialog.getByRole('button', { name: '撤销令牌 wang' }).click();
  await dialog.getByRole('button', { name: '确认撤销令牌 wang' }).click();
  await expect(dialog.getByText('已撤销')).toBeVisible();
  const { tokens } = await call<{ tokens: CreatedToken[] }>(desk, 'GET', '/ops/tokens');
  expect(tokens[0]).toMatchObject({ name: 'wang', state: 'revoked', revokedBy: 'ops' });
});
