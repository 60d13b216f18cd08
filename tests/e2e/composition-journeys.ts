import type { Page } from 'playwright/test';
import type { PointerInfo } from '../../api/src/contract/compositions.ts';
import { replacingText } from './copy-build.ts';
import { call, OPS, publish } from './deploy.ts';
import { expect, HINT, test } from './deployed-desk.ts';
import { watchPolicy } from './policy.ts';
import { expectToast } from './toasts.ts';
import { openAs } from './visit.ts';

/** Two more releases of the chat, by version: the hint that identifies each. */
const CANDIDATES = { '6.0.0': '换了版本，请提问', '6.1.0': '又换了版本，请提问' };

// The browser logs a wrong ops token, the guard's check of a guest, and a conflicting change.
test.use({
  expectedErrors: /status of 401 .*\/(ops\/session|admin\/auth)\)|status of 409 .*\/ops\/canary\)/,
});

test.beforeAll(async ({ desk }) => {
  for (const [version, hint] of Object.entries(CANDIDATES))
    await publish(desk, 'mfe-chat', version, replacingText(HINT, hint));
});

async function enterToken(page: Page, token: string) {
  await page.getByRole('textbox', { name: '运维令牌' }).fill(token);
  await page.getByRole('button', { name: '继续' }).click();
}

async function confirm(page: Page, action: string, reason: string) {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('原因').fill(reason);
  await dialog.getByRole('button', { name: action, exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

/** Checks the current page; `state` names it in failures. */
export type CheckState = (page: Page, state: string) => Promise<void>;

/** Makes another version live and rolls back on the screen, calling `check` in each state. */
export function testSwitch(check: CheckState): void {
  test('makes another version live, which others get at their next page load, and rolls back', async ({
    page,
    newVisitor,
    desk,
  }) => {
    const expectStrictPolicies = await watchPolicy(page);
    await openAs(page, desk.url, 'ops-li');
    const other = await newVisitor();
    await other.goto(`${desk.url}/chatbot/index`);
    await expect(other.getByText(HINT)).toBeVisible();

    await page.goto(`${desk.url}/chatbot/composition`);
    await expect(page.getByRole('heading', { level: 1, name: '发布' })).toBeVisible();
    await expect(page).toHaveTitle('发布 · 咨询台');

    const entry = page.getByRole('navigation').getByRole('link', { name: '发布' });
    await expect(entry).toHaveCount(0);

    await page.getByRole('button', { name: /^mfe-chat@.*：选择要换上的版本$/ }).click();
    await page.getByRole('menuitemradio', { name: /^6\.0\.0/ }).click();
    const plan = page.getByRole('region', { name: '待切换' });
    await expect(plan).toContainText('→ 6.0.0');
    await plan.getByRole('button', { name: '检查' }).click();
    await enterToken(page, 'not the token at all');
    await expect(page.getByText('令牌不对，请核对后再输入')).toBeVisible();
    await enterToken(page, OPS.OPS_TOKEN);
    await expect(page.getByText(/剩 30 分钟/)).toBeVisible();
    await expect(entry).toBeVisible();
    await expect(plan.getByText(/^检查通过/)).toBeVisible();
    await check(page, 'a plan');

    await plan.getByRole('button', { name: '切换', exact: true }).click();
    await check(page, 'the confirmation');
    await confirm(page, '切换', '新的用语');
    await expectToast(page, /^已切换到 [0-9a-f]{8}，用时/);
    const live = page.getByRole('region', { name: '正在服务' });
    await expect(live).toContainText('原因：新的用语');
    await expect(live).toContainText('由 ops-li 切换');
    await expect(page.getByRole('button', { name: 'mfe-chat@6.0.0：选择要换上的版本' })).toBeVisible();

    await expect(other.getByText(HINT)).toBeVisible();
    await other.reload();
    await expect(other.getByText(CANDIDATES['6.0.0'])).toBeVisible();
    await expect(page.getByText(/[1-9]\d* 项更改，传输量/)).toBeVisible();
    await check(page, 'after the switch');

    await live.getByRole('button', { name: /^回滚到/ }).click();
    await confirm(page, '回滚', '用语不对');
    await expectToast(page, /^已回滚到/);
    await other.reload();
    await expect(other.getByText(HINT)).toBeVisible();
    const moves = page.getByRole('complementary', { name: '历史' }).getByRole('listitem');
    await expect(moves.nth(0)).toContainText('用语不对');
    await expect(moves.nth(1)).toContainText('新的用语');

    await page.reload();
    await expect(page.getByRole('button', { name: '输入运维令牌' })).toBeVisible();
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain('ops.');
    expectStrictPolicies();
  });
}

/** Starts a canary on the screen, and causes a conflicting change. */
export function testCanary(check: CheckState): void {
  test('starts, changes and ends a canary; a conflicting change is reported', async ({ page, desk }) => {
    await openAs(page, desk.url, 'ops-wang');
    await page.goto(`${desk.url}/chatbot/composition`);
    await page.getByRole('button', { name: /^mfe-chat@.*：选择要换上的版本$/ }).click();
    await page.getByRole('menuitemradio', { name: /^6\.0\.0/ }).click();
    await page.getByRole('radio', { name: '25%' }).click();
    await page.getByRole('button', { name: '灰度 25%' }).click();
    await enterToken(page, OPS.OPS_TOKEN);
    await confirm(page, '开始灰度 25%', '先试试');
    await expect(page.getByRole('img', { name: /灰度 [0-9a-f]{8} 占 25%/ })).toBeVisible();
    await check(page, 'a canary');

    await page.getByRole('radio', { name: '50%' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: '灰度改为 50%' });
    await expect(dialog).toBeVisible();
    // Meanwhile another operator makes a version live, which ends the canary.
    expect((await call<PointerInfo>(desk, 'GET', '/ops/pointer')).canary?.share).toBe(25);
    const change = { releases: ['mfe-chat@6.1.0'], author: 'ops-chen', reason: 'quicker' };
    await call(desk, 'POST', '/ops/pointer', change);
    await dialog.getByRole('button', { name: '改为 50%' }).click();
    await expect(dialog.getByText('刚才有别人更改了线上内容，这一步已经不再适用。')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('region', { name: '正在服务' })).toContainText('由 ops-chen 切换');
  });
}

/** Shows two canaries with steps during a freeze, pauses one of them on the screen, and ends it. */
export function testSteps(check: CheckState): void {
  test('shows the steps of canaries and a freeze, and pauses a canary', async ({ page, desk }) => {
    const note = { author: 'ops-chen', reason: '逐步放量' };
    const plan = { steps: [5, 25, 100], everySeconds: 600 };
    const history = await publish(desk, 'mfe-records', '6.0.0');
    for (const release of ['mfe-chat@6.0.0', history])
      await call(desk, 'POST', '/ops/canary', { releases: [release], plan, ...note });
    await call(desk, 'POST', '/ops/freeze', {
      ...note,
      reason: '大促期间',
      until: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await openAs(page, desk.url, 'ops-wang');
    await page.goto(`${desk.url}/chatbot/composition`);
    await expect(page.getByText(/^线上内容已由 .* 冻结到.*：大促期间/)).toBeVisible();
    await expect(page.getByRole('img', { name: /灰度 [0-9a-f]{8} 占 5%/ })).toHaveCount(2);
    await check(page, 'two canaries and a freeze');

    await page.getByRole('button', { name: '暂停', exact: true }).first().click();
    await enterToken(page, OPS.OPS_TOKEN);
    await confirm(page, '暂停灰度', '午休');
    await expect(page.getByRole('button', { name: '继续', exact: true })).toBeVisible();
    for (const remote of ['mfe-chat', 'mfe-records'])
      await call(desk, 'POST', '/ops/canary/abort', { ...note, canary: remote });
    await call(desk, 'POST', '/ops/unfreeze', note);
  });
}
