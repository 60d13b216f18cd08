import { test } from './deployed-desk.ts';
import { visitScreens } from './policy.ts';

for (const language of ['zh', 'en'] as const)
  test(`no screen violates the policy of its page, as a guest and signed in, in ${language}`, async ({
    page,
    desk,
  }) => {
    await visitScreens(page, desk.url, { username: `integrity-${language}`, language, isGuestFirst: true });
  });
