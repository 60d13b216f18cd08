import type { Page } from 'playwright/test';
import type { Desk } from '../start-desk.ts';
import { answers, expect, modelEnv, question, sendQuestion, sentence, test } from './chat-page.ts';
import { replacingText } from './copy-build.ts';
import { goLive, OPS, publish } from './deploy.ts';
import { HINT } from './desk-test.ts';

let desk: Desk;

// A separate desk, because this test needs both a model and deploys.
test.beforeAll(async ({ startAnother, model }) => {
  desk = await startAnother({ env: { ...modelEnv(model), ...OPS } });
});

/** Simulates that the tab gets the focus, after which the page requests the live composition, at most every 5 s. */
const focusPage = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')));
/** Resolves when the page has received the live composition and rendered the result. */
async function checkForNewVersion(page: Page): Promise<void> {
  await expect(async () => {
    const asked = page.waitForResponse(/\/ops\/live$/, { timeout: 1_000 });
    await focusPage(page);
    await (await asked).finished();
  }).toPass();
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
const hint = (page: Page) => page.getByRole('complementary', { name: '新版本' });

for (const { count, tag } of [
  { count: 2, tag: [] },
  { count: 10, tag: '@long' },
])
  test(`${count} deploys during one open chat lose nothing, and the hint of a new version appears when it does not disturb`, {
    tag,
  }, async ({ page, pace }) => {
    const failed: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
    });
    page.on('requestfailed', (request) => {
      if (request.url().includes('/releases/')) failed.push(request.url());
    });
    // Two releases alternate, so that each deploy does not need a build.
    const odd = await publish(desk, 'mfe-chat', '8.1.0', replacingText(HINT, '单次发布'));
    const even = await publish(desk, 'mfe-chat', '8.2.0', replacingText(HINT, '双次发布'));
    const deploys = Array.from({ length: count }, (_, index) => [index % 2 === 0 ? odd : even]);
    // Another team deploys, too.
    deploys[count / 2]!.push(
      await publish(desk, 'mfe-records', '8.5.0', replacingText('还没有记录', '又一次发布')),
    );
    await page.goto(`${desk.url}/chatbot/index`);
    await sendQuestion(page, '请等一下，说 60 句');
    await expect(answers(page).last()).toContainText(sentence(20));
    await question(page).fill('还没有写完的一句');
    // The draft itself hides the hint, not the focus.
    await question(page).blur();

    for (const releases of deploys) await goLive(desk, ...releases);

    // No hint while an answer streams and there is a draft.
    await checkForNewVersion(page);
    await expect(hint(page)).toHaveCount(0);
    pace.continueAnswers();
    await expect(answers(page).last()).toContainText(sentence(60), { timeout: 60_000 });
    await expect(page.getByRole('log')).not.toHaveAttribute('aria-busy', 'true');
    await expect(question(page)).toHaveValue('还没有写完的一句');
    await expect(hint(page)).toHaveCount(0);

    const conversation = page.url();

    // Screens and chunks loaded later belong to the release that this tab was opened with.
    await page.getByRole('navigation').getByRole('link', { name: '记录' }).click();
    await expect(page.getByText('请等一下，说 60 句').first()).toBeVisible();
    await page.getByRole('navigation').getByRole('link', { name: '报告' }).click();
    await expect(page.getByRole('heading', { level: 1, name: '报告' })).toBeVisible();
    await page.getByRole('navigation').getByRole('link', { name: '咨询', exact: true }).click();
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => decodeURIComponent(name)),
    );
    const releases = new Set(
      loaded.flatMap((name) => /\/releases\/(mfe-[^/]+\/[^/]+)\//.exec(name)?.[1] ?? []),
    );
    // The builds share a folder; each changed copy has its own.
    expect([...releases].sort()).toEqual(['mfe-chat/files', 'mfe-records/files']);
    expect(failed).toEqual([]);

    // Clearing the draft allows the hint.
    await expect(question(page)).toHaveValue('');
    await question(page).fill('还没有写完的一句');
    await question(page).blur();
    await expect(hint(page)).toHaveCount(0);
    await question(page).fill('');
    await expect(hint(page)).toBeVisible();
    await question(page).fill('又想到一句');
    await expect(hint(page)).toHaveCount(0);
    await question(page).fill('');
    const at = page.url();
    await hint(page).getByRole('button', { name: '刷新' }).click();
    await expect(page.getByText('双次发布')).toBeVisible();
    expect(page.url()).toBe(at);
    await expect(hint(page)).toHaveCount(0);
    await page.goto(conversation);
    await expect(question(page)).toHaveValue('还没有写完的一句');
    await expect(answers(page).last()).toContainText(sentence(60));
  });

// Also in host/src/frame/update-hint.test.tsx.
test('a dismissed hint stays hidden until there is another version', { tag: '@long' }, async ({ page }) => {
  await page.clock.install();
  await page.goto(`${desk.url}/chatbot/history`);
  await expect(page.getByRole('heading', { level: 1, name: '记录' })).toBeVisible();
  await goLive(desk, await publish(desk, 'mfe-chat', '9.1.0', replacingText(HINT, '另一版')));
  await checkForNewVersion(page);
  await hint(page).getByRole('button', { name: '以后再说' }).click();
  await expect(hint(page)).toHaveCount(0);

  await page.clock.fastForward(5_000);
  await checkForNewVersion(page);
  await expect(hint(page)).toHaveCount(0);

  await goLive(desk, await publish(desk, 'mfe-chat', '9.2.0', replacingText(HINT, '再一版')));
  await page.clock.fastForward(5_000);
  await checkForNewVersion(page);
  await expect(hint(page)).toBeVisible();
});
