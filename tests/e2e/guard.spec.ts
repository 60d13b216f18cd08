import { expect, test } from './desk-test.ts';
import { signUpAndIn } from './visit.ts';

test.use({ expectedErrors: /status of 401/ });

test("any other path asks POST /admin/auth; refused, the visitor is sent to /login with the source's words", async ({
  page,
  desk,
}) => {
  const asked = page.waitForRequest(
    (request) => request.url().endsWith('/admin/auth') && request.method() === 'POST',
  );
  await page.goto(`${desk.url}/chatbot/somewhere/else`);
  await asked;
  await expect(page).toHaveURL(/\/chatbot\/login$/);
  await expect(page.getByText('登录过期，请重新登录')).toBeVisible();
});

test('a session that was ended elsewhere is cleared here', async ({ page, desk }) => {
  await signUpAndIn(page, desk.url, 'guarded', 'a-long-password');
  const token = await page.evaluate(
    () => Object.entries(localStorage).find(([key]) => key.startsWith('__persist__user'))![1],
  );
  const bare = /[A-Za-z0-9_-]{32,}/.exec(token)![0];
  const ended = await fetch(`${desk.url}/admin/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bare}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(ended.status).toBe(200);
  await page.goto(`${desk.url}/chatbot/account`);
  await expect(page).toHaveURL(/\/chatbot\/login$/);
  await expect(page.getByText('登录过期，请重新登录')).toBeVisible();
  const kept = await page.evaluate((secret) => JSON.stringify(localStorage).includes(secret), bare);
  expect(kept).toBe(false);
});

test('a signed-in visitor on an unknown path reads that there is nothing', async ({ page, desk }) => {
  await signUpAndIn(page, desk.url, 'lost', 'a-long-password');
  await page.goto(`${desk.url}/chatbot/nowhere`);
  await expect(page.getByRole('main')).toContainText(/404|没有|找不到/);
  await expect(page).toHaveURL(/\/chatbot\/nowhere$/);
});

for (const path of ['login', 'register', 'test', 'index', 'history', 'report'])
  test(`/${path} opens without the check`, async ({ page, desk }) => {
    const checks: string[] = [];
    page.on('request', (request) => request.url().includes('/admin/auth') && checks.push(request.url()));
    await page.goto(`${desk.url}/chatbot/${path}`);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await expect(page).toHaveURL(`${desk.url}/chatbot/${path}`);
    expect(checks).toEqual([]);
  });
