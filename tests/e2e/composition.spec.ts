import { checkScreen, expectNoOverflow } from './check-screen.ts';
import { type CheckState, testCanary, testSwitch } from './composition-journeys.ts';
import { expect, HINT, test } from './deployed-desk.ts';

test('redirects guests to sign-in, and loads the screen’s files only when it is opened', async ({
  page,
  desk,
}) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await page.goto(`${desk.url}/chatbot/index`);
  await expect(page.getByText(HINT)).toBeVisible();
  expect(fetched.filter((path) => /composition|charts/.test(path))).toEqual([]);
  await expect(page.getByRole('navigation').getByRole('link', { name: '发布' })).toHaveCount(0);
  await page.goto(`${desk.url}/chatbot/composition`);
  await expect(page).toHaveURL(/\/chatbot\/login$/);
});

/** Runs axe at one width; composition.long.spec.ts does so at all widths. */
const checkState: CheckState = async (page, state) => {
  await checkScreen(page, state);
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  // Waits for the rail's animation.
  await expect(() => expectNoOverflow(page, `${state} at 390`)).toPass({ timeout: 30_000 });
  await page.setViewportSize(size);
};

testSwitch(checkState);
testCanary(checkState);
