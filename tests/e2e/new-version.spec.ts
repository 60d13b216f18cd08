import { checkScreen } from './check-screen.ts';
import { expect, test } from './desk-test.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 768, height: 560 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
];

test('the hint of a new version lies over nothing, at any size', async ({ page, desk }) => {
  await page.route('**/ops/live', (route) => route.fulfill({ json: { composition: 'f'.repeat(64) } }));
  for (const screen of ['index', 'login'])
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.goto(`${desk.url}/chatbot/${screen}`);
      const hint = page.getByRole('complementary', { name: '新版本' });
      await expect(async () => {
        await page.evaluate(() => dispatchEvent(new Event('focus')));
        await expect(hint).toBeVisible({ timeout: 500 });
      }).toPass({ timeout: 60_000 });
      const boxOf = async (selector: string) =>
        page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
      const [card] = await boxOf('.update');
      for (const box of await boxOf('#main, .rail li'))
        expect(
          box.right <= card.left ||
            box.left >= card.right ||
            box.bottom <= card.top ||
            box.top >= card.bottom,
          `${screen} at ${size.width}: ${JSON.stringify({ box, card })}`,
        ).toBe(true);
      await checkScreen(page, `${screen} with the hint at ${size.width}`);
    }
});
