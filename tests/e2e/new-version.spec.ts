import { checkScreen } from './check-screen.ts';
import { test } from './desk-test.ts';
import { expectHintBesideAll, expectRoomForHint, SIZES, showHint } from './update-hint.ts';

test('the hint of a new version lies over nothing, at any size', async ({ page, desk }) => {
  for (const screen of ['index', 'login']) {
    await showHint(page, desk, screen);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await expectHintBesideAll(page, `${screen} at ${size.width}`);
      // The sheet of the chat scrolls by itself, the one of the form with the window.
      if (screen === 'index') await expectRoomForHint(page, `${screen} at ${size.width}`);
    }
  }
});

// axe at every size: new-version.long.spec.ts.
test('the hint of a new version is accessible', async ({ page, desk }) => {
  await showHint(page, desk, 'index');
  await checkScreen(page, 'index with the hint');
});
