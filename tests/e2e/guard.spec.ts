import { expect, test } from './desk-test.ts';
import { expectToast } from './toasts.ts';
import { openAs } from './visit.ts';

test.use({
  expectedErrors:
    /status of 401 .*\/(admin\/(auth|sessions)|api\/knowledge|api\/inbox\/summary|api\/settings\/access)\)/,
});

// Which routes are guarded: host/src/router.test.tsx.
test('a guarded route sends POST /admin/auth; a session ended elsewhere is cleared, and /login shows the reason', async ({
  page,
  desk,
}) => {
  const visitor = await openAs(page, desk.url, 'guarded');
  // Asked while the browser is idle; asked after the session has ended, this page would tell the reason, not the next one.
  const idle = page.waitForResponse(/\/api\/settings\/access$/);
  await page.goto(`${desk.url}/chatbot/account`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('账号');
  await idle;
  expect((await visitor.call('POST', '/admin/logout', {})).status).toBe(200);

  const asked = page.waitForRequest(
    (request) => request.url().endsWith('/admin/auth') && request.method() === 'POST',
  );
  await page.goto(`${desk.url}/chatbot/somewhere/else`);
  await asked;
  await expect(page).toHaveURL(/\/chatbot\/login$/);
  await expectToast(page, '登录过期，请重新登录');
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(visitor.token);
});
