import { createVisitor } from '../../api/src/testing/visitor.ts';
import { test as base, expect } from './desk-test.ts';
import { shiftsOf, watchShifts } from './layout-shifts.ts';
import { applySession, signedIn } from './visit.ts';

// A separate desk, so that /composition shows the figures of few visits.
const test = base.extend({
  desk: [async ({ startAnother }, use) => use(await startAnother()), { scope: 'worker' }],
});

const PUBLIC = ['/login', '/register', '/test', '/index', '/history', '/report', '/contacts'];
const GUARDED = ['/knowledge', '/inbox', '/account', '/settings', '/people', '/audit', '/composition'];

test.use({ expectedErrors: /status of 40[13] / });

for (const width of [1280, 390])
  for (const language of ['zh', 'en'] as const)
    for (const who of ['guest', 'member'])
      test.describe(() => {
        test.use({ viewport: { width, height: 844 } });

        test(`nothing moves while screens load for a ${who}, ${language} at ${width} px`, async ({
          page,
          desk,
        }) => {
          const username = who === 'guest' ? '' : `shifts-${width}-${language}`;
          const visitor = username ? await signedIn(desk.url, username) : createVisitor(desk.url);
          visitor.cookies.set('desk-language', language);
          await applySession(page, desk.url, visitor, { username, language });
          await watchShifts(page);
          // Guests are redirected from guarded screens.
          for (const path of [...PUBLIC, ...GUARDED]) {
            await page.goto(`${desk.url}/chatbot${path}`);
            await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
            await expect(page.locator('.skeleton-line')).toHaveCount(0);
            const shifts = await shiftsOf(page);
            const sum = shifts.reduce((total, { value }) => total + value, 0);
            expect.soft(sum, `${path}: ${JSON.stringify(shifts)}`).toBe(0);
          }
        });
      });
