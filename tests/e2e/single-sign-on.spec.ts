import { startOpenIdProvider } from '../../api/src/testing/openid-provider.ts';
import { checkScreen } from './check-screen.ts';
import { expect, test } from './desk-test.ts';

// Pages of the provider, which are not ours.
test.use({ expectedErrors: /favicon|status of 40[14]|Content Security Policy/ });

test('a visitor signs in at the provider and out of both', async ({ page, startAnother }) => {
  const provider = await startOpenIdProvider();
  // Fonts of the provider's pages.
  await page.route('https://fonts.googleapis.com/**', (route) =>
    route.fulfill({ contentType: 'text/css', body: '' }),
  );
  try {
    const { configured } = provider;
    const desk = await startAnother({ env: { OIDC_PROVIDERS: JSON.stringify([configured]) } });
    await provider.serve(desk.url);
    await page.goto(`${desk.url}/chatbot/login`);
    const link = page.getByRole('link', { name: '使用 Acme 登录' });
    await expect(link).toBeVisible();
    await checkScreen(page, 'login with a provider');
    await link.focus();
    await page.keyboard.press('Enter');
    await page.locator('input[name=login]').fill('wanda');
    await page.locator('input[name=password]').fill('any');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL(/\/chatbot\/index$/);
    await page.getByRole('button', { name: '账号：wanda' }).click();
    await page.getByRole('menuitem', { name: '退出登录' }).click();
    await expect(page).toHaveURL(new RegExp(`^${provider.issuer}/session/end`));
    await page.goto(`${desk.url}/chatbot/login?sso=unavailable`);
    await expect(page.getByRole('alert')).toHaveText(/暂时无法连接/);
  } finally {
    await provider.end();
  }
});
