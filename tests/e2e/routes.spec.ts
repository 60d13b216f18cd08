import { expect, test } from './desk-test.ts';

test('by keyboard: uses the skip link, opens a screen from the rail, and announces and focuses it', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/report`);
  await expect(page.getByRole('heading', { level: 1, name: '报告' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: '跳到正文' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  await page.getByRole('navigation').getByRole('link', { name: '咨询', exact: true }).press('Enter');
  await expect(page.getByPlaceholder('请输入问题')).toBeFocused();
  await page.getByRole('navigation').getByRole('link', { name: '记录', exact: true }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: '记录' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: '记录 · 咨询台' })).toBeAttached();
});

test('on a phone the focus does not leave the drawer for the page, and returns when it is closed', async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${desk.url}/chatbot/index`);
  const opener = page.getByRole('button', { name: '展开会话' });
  await opener.press('Enter');
  const side = page.locator('#side');
  await expect(side.locator(':focus')).toBeVisible();
  for (let step = 0; step < 8; step++) {
    await page.keyboard.press('Tab');
    // Behind the last control the focus is in the browser's own bars.
    await expect(page.locator(':focus:not(#side *, body)')).toHaveCount(0);
  }
  await page.keyboard.press('Escape');
  await expect(side).toBeHidden();
  await expect(opener).toBeFocused();
});
