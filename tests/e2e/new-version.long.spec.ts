import { checkInBothThemes } from './check-screen.ts';
import { test } from './desk-test.ts';
import { expectHintBesideAll, expectRoomForHint, SIZES, showHint } from './update-hint.ts';

for (const screen of ['index', 'login'])
  for (const size of SIZES)
    test(`the hint of a new version is accessible on /${screen} at ${size.width} px`, async ({
      page,
      desk,
    }) => {
      await page.setViewportSize(size);
      await showHint(page, desk, screen);
      await expectHintBesideAll(page, `${screen} at ${size.width}`);
      // The chat scrolls its own list, the form scrolls with the window.
      if (screen === 'index') await expectRoomForHint(page, `${screen} at ${size.width}`);
      await checkInBothThemes(page, `${screen} with the hint at ${size.width}`);
    });
