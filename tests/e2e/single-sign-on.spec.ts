import type { Page } from 'playwright/test';
import { startOpenIdProvider } from '../../api/src/testing/openid-provider.ts';
import { checkScreen } from './check-screen.ts';
import { expect, test } from './desk-test.ts';

// Pages of the provider, which are not ours.
test.use({ expectedErrors: /favicon|status of 40[14]|Content Security Policy/ });

test('a visitor signs in at the provider and out of both', async ({ page, startAnother }) => {
  const provider = await startOpenIdProvider({ wanda: ['operators'] });
  // Fonts of the provider's pages.
  await page.route('https://fonts.googleapis.com/**', (route) =>
    route.fulfill({ contentType: 'text/css', body: '' }),
  );
  try {
    const configured = { ...provider.configured, roles: { operators: ['operator'] } };
    const desk = await startAnother({ env: { OIDC_PROVIDERS: JSON.stringify([configured]) } });
    await provider.serve(desk.url);
    await page.goto(`${desk.url}/chatbot/login`);
    const link = page.getByRole('link', { name: '使用 Acme 登录' });
    await expect(link).toBeVisible();
    await checkScreen(page, 'login with a provider');
    await link.focus();
    await page.keyboard.press('Enter');
    await signInThere(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL(/\/chatbot\/index$/);
    await page.getByRole('button', { name: '账号：wanda' }).click();
    await page.getByRole('menuitem', { name: '退出登录' }).click();
    await expect(page).toHaveURL(new RegExp(`^${provider.issuer}/session/end`));
    await page.goto(`${desk.url}/chatbot/login?sso=unavailable`);
    await expect(page.getByRole('alert')).toHaveText(/暂时无法连接/);

    // The session there has not been ended.
    await page.goto(`${desk.url}/admin/sso/acme/start`);
    await expect(page).toHaveURL(/\/chatbot\/index$/);
    const again = page.getByRole('link', { name: '重新登录' });
    await page.goto(`${desk.url}/chatbot/composition`);
    await page.getByRole('button', { name: '输入运维令牌' }).click();
    await expect(again).toHaveAttribute('href', /prompt=login/);
    await checkScreen(page, 'composition without a password');
    await again.click();
    await signInThere(page);
    await expect(page.getByText(/^令牌 @wanda/)).toBeVisible();
    await expect(page).toHaveURL(/\/chatbot\/composition$/);

    await page.goto(`${desk.url}/chatbot/account`);
    await expect(page.getByText('在这里没有密码')).toBeVisible();
    await page.getByRole('button', { name: '删除账号…' }).click();
    await expect(again).toHaveAttribute('href', /prompt=login/);
    await checkScreen(page, 'account without a password');
    await again.click();
    await signInThere(page);
    await page.getByLabel(/输入用户名/).fill('wanda');
    await page.getByRole('dialog').getByRole('button', { name: '删除账号' }).click();
    await expect(page).toHaveURL(/\/chatbot\/index$/);
    await expect(page.getByRole('link', { name: '登录' }).first()).toBeVisible();
  } finally {
    await provider.end();
  }
});

async function signInThere(page: Page): Promise<void> {
  await page.locator('input[name=login]').fill('wanda');
  await page.locator('input[name=password]').fill('any');
  await page.keyboard.press('Enter');
}
