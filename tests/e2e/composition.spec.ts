import type { Page } from 'playwright/test';
import type { PointerInfo } from '../../api/src/contract.ts';
import { checkScreen } from './check-screen.ts';
import { saying } from './copy-build.ts';
import { call, OPS, publish } from './deploy.ts';
import { test as base, expect } from './desk-test.ts';
import { signUpAndIn } from './visit.ts';

const BEFORE = '请输入以咨询问题';
const AFTER = '换了版本，请提问';

/** A desk with two more releases of the chat. */
const test = base.extend({
  // A wrong ops token is a 401 and a pointer that has moved a 409, which the browser tells by itself.
  expectedErrors: /status of (401|409)/,
  desk: [
    async ({ startAnother }, use) => {
      const desk = await startAnother({ env: OPS });
      for (const version of ['7.0.0', '7.1.0'])
        await publish(desk, 'mfe-chat', version, saying(BEFORE, `${AFTER} ${version}`));
      await use(desk);
    },
    { scope: 'worker' },
  ],
});

async function enterToken(page: Page, token: string) {
  await page.getByRole('textbox', { name: '运维令牌' }).fill(token);
  await page.getByRole('button', { name: '继续' }).click();
}

async function confirm(page: Page, deed: string, reason: string) {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('原因').fill(reason);
  await dialog.getByRole('button', { name: deed, exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

/** axe in both themes, and no overflow, at the width of a desk and of a phone. */
async function checkSizes(page: Page, screen: string) {
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await checkScreen(page, `${screen} at ${size.width}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('a guest is led to sign in, and nothing of the screen is fetched before it is asked for', async ({
  page,
  desk,
}) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await page.goto(`${desk.url}/chatbot/index`);
  await expect(page.getByText(BEFORE)).toBeVisible();
  expect(fetched.filter((path) => /composition|trend|recharts/.test(path))).toEqual([]);
  await expect(page.getByRole('navigation').getByRole('link', { name: '发布' })).toHaveCount(0);
  await page.goto(`${desk.url}/chatbot/composition`);
  await expect(page).toHaveURL(/\/chatbot\/login$/);
});

test('another version goes live from the screen, shows in another tab at its next load, and goes back', async ({
  page,
  context,
  desk,
}) => {
  test.slow();
  await signUpAndIn(page, desk.url, 'ops-li', 'a long enough password');
  const other = await context.newPage();
  await other.goto(`${desk.url}/chatbot/index`);
  await expect(other.getByText(BEFORE)).toBeVisible();

  await page.getByRole('navigation').getByRole('link', { name: '发布' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '发布' })).toBeVisible();
  await expect(page).toHaveTitle('发布 · 咨询台');
  await expect(page.getByText('这是第一个组合，还没有可以回滚的。')).toBeVisible();

  await page.getByRole('button', { name: /^mfe-chat@.*：选择要换上的版本$/ }).click();
  await page.getByRole('menuitemradio', { name: /^7\.0\.0/ }).click();
  const plan = page.getByRole('region', { name: '待切换' });
  await expect(plan).toContainText('→ 7.0.0');
  await plan.getByRole('button', { name: '检查' }).click();
  await enterToken(page, 'not the token at all');
  await expect(page.getByText('令牌不对，请核对后再输入')).toBeVisible();
  await enterToken(page, OPS.OPS_TOKEN);
  await expect(page.getByText(/剩 30 分钟/)).toBeVisible();
  await expect(plan.getByText(/^检查通过/)).toBeVisible();
  await checkSizes(page, 'the first composition with a plan');

  await plan.getByRole('button', { name: '切换', exact: true }).click();
  await checkSizes(page, 'the confirmation');
  await confirm(page, '切换', '新的用语');
  await expect(page.getByText(/^已切换到 [0-9a-f]{8}，用时/)).toBeVisible();
  const live = page.getByRole('region', { name: '正在服务' });
  await expect(live).toContainText('原因：新的用语');
  await expect(live).toContainText('由 ops-li 切换');
  await expect(page.getByRole('button', { name: 'mfe-chat@7.0.0：选择要换上的版本' })).toBeVisible();

  await expect(other.getByText(BEFORE)).toBeVisible();
  await other.reload();
  await expect(other.getByText(AFTER)).toBeVisible();
  await expect(page.getByText(/[1-9]\d* 个模块，传输量/)).toBeVisible();
  await checkSizes(page, 'two compositions');

  await live.getByRole('button', { name: /^回滚到/ }).click();
  await confirm(page, '回滚', '用语不对');
  await expect(page.getByText(/^已回滚到/)).toBeVisible();
  await other.reload();
  await expect(other.getByText(BEFORE)).toBeVisible();
  const moves = page.getByRole('complementary', { name: '历史' }).getByRole('listitem');
  await expect(moves).toHaveCount(3);
  await expect(moves.first()).toContainText('用语不对');

  await page.reload();
  await expect(page.getByRole('button', { name: '输入运维令牌' })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain('ops.');
});

test('a canary is begun, changed and ended by hand; whoever was slower is told', async ({ page, desk }) => {
  test.slow();
  await signUpAndIn(page, desk.url, 'ops-wang', 'a long enough password');
  await page.goto(`${desk.url}/chatbot/composition`);
  await page.getByRole('button', { name: /^mfe-chat@.*：选择要换上的版本$/ }).click();
  await page.getByRole('menuitemradio', { name: /^7\.0\.0/ }).click();
  await page.getByRole('radio', { name: '25%' }).click();
  await page.getByRole('button', { name: '灰度 25%' }).click();
  await enterToken(page, OPS.OPS_TOKEN);
  await confirm(page, '开始灰度 25%', '先试试');
  await expect(page.getByRole('img', { name: /灰度 [0-9a-f]{8} 占 25%/ })).toBeVisible();
  await checkSizes(page, 'a canary');

  await page.getByRole('radio', { name: '50%' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: '灰度改为 50%' });
  await expect(dialog).toBeVisible();
  // Meanwhile somebody else switches, which ends the canary.
  expect((await call<PointerInfo>(desk, 'GET', '/ops/pointer')).canary?.share).toBe(25);
  const change = { releases: ['mfe-chat@7.1.0'], author: 'ops-chen', reason: 'quicker' };
  await call(desk, 'POST', '/ops/pointer', change);
  await dialog.getByRole('button', { name: '改为 50%' }).click();
  await expect(dialog.getByText('刚才有别人更改了线上内容，这一步已经不再适用。')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('region', { name: '正在服务' })).toContainText('由 ops-chen 切换');
});
