import { checkScreen } from './check-screen.ts';
import { test } from './desk-test.ts';
import { expectHintBesideAll, expectRoomForHint, showHint } from './update-hint.ts';

// All sizes, a form, and axe for each: new-version.long.spec.ts.
test('the hint of a new version covers nothing in a wide and a narrow window, and is accessible', async ({
  page,
  desk,
}) => {
  await showHint(page, desk, 'index');
  await checkScreen(page, 'index with the hint');
  for (const size of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size);
    await expectHintBesideAll(page, `index at ${size.width}`);
    await expectRoomForHint(page, `index at ${size.width}`);
  }
});
