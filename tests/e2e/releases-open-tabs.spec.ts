import type { Page } from 'playwright/test';
import type { Desk } from '../start-desk.ts';
import { saying } from './copy-build.ts';
import { goLive, OPS, publish } from './deploy.ts';
import { HINT } from './desk-test.ts';
import { answers, expect, modelEnv, put, question, test } from './talking-desk.ts';

let desk: Desk;

// Of its own: only here is there a model and something to deploy to.
test.beforeAll(async ({ startAnother, model }) => {
  desk = await startAnother({ env: { ...modelEnv(model), ...OPS } });
});

const DEPLOYS = 10;

/** What a browser does when its tab is looked at again. The page then asks which composition is live, at most every 5 s. */
const lookAgain = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')));
/** Resolves once the page has heard which composition is live, and has rendered what follows from it. */
async function hearOfDeploys(page: Page): Promise<void> {
  await expect(async () => {
    const asked = page.waitForResponse(/\/ops\/live$/, { timeout: 1_000 });
    await lookAgain(page);
    await (await asked).finished();
  }).toPass();
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
const hint = (page: Page) => page.getByRole('complementary', { name: '新版本' });

test('ten deploys during one open chat lose nothing, and the new version is told when it disturbs nobody', async ({
  page,
  pace,
}) => {
  const failed: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    if (request.url().includes('/releases/')) failed.push(request.url());
  });
  // Two releases take turns, so that ten deploys need not be ten builds.
  const odd = await publish(desk, 'mfe-chat', '8.1.0', saying(HINT, '单次发布'));
  const even = await publish(desk, 'mfe-chat', '8.2.0', saying(HINT, '双次发布'));
  const deploys = Array.from({ length: DEPLOYS }, (_, index) => [index % 2 === 0 ? odd : even]);
  // The other team deploys as well.
  deploys[4]!.push(await publish(desk, 'mfe-records', '8.5.0', saying('还没有记录', '又一次发布')));
  await page.goto(`${desk.url}/chatbot/index`);
  await put(page, '请等一下，说 60 句');
  await expect(answers(page).last()).toContainText('这是第 20 句');
  await question(page).fill('还没有写完的一句');
  // The draft itself holds the hint back, not the focus.
  await question(page).blur();

  for (const releases of deploys) await goLive(desk, ...releases);

  // An answer streams and there is a draft: the page knows, and shows no hint.
  await hearOfDeploys(page);
  await expect(hint(page)).toHaveCount(0);
  pace.goOn();
  await expect(answers(page).last()).toContainText('这是第 60 句', { timeout: 60_000 });
  await expect(page.getByRole('log')).not.toHaveAttribute('aria-busy', 'true');
  await expect(question(page)).toHaveValue('还没有写完的一句');
  await expect(hint(page)).toHaveCount(0);

  const conversation = page.url();

  // What this tab fetches late is of the release that it was opened with: a screen, and chunks of it and of this one.
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
  // Builds share a folder; the changed copies have one of their own.
  expect([...releases].sort()).toEqual(['mfe-chat/files', 'mfe-records/files']);
  expect(failed).toEqual([]);

  // The draft goes, and with it the reason to be silent.
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
  await expect(answers(page).last()).toContainText('这是第 60 句');
});

// Also in host/src/updates/update-hint.test.tsx.
test('a hint that is put aside stays away until there is another version', { tag: '@long' }, async ({
  page,
}) => {
  await page.clock.install();
  await page.goto(`${desk.url}/chatbot/history`);
  await expect(page.getByRole('heading', { level: 1, name: '记录' })).toBeVisible();
  await goLive(desk, await publish(desk, 'mfe-chat', '9.1.0', saying(HINT, '另一版')));
  await hearOfDeploys(page);
  await hint(page).getByRole('button', { name: '以后再说' }).click();
  await expect(hint(page)).toHaveCount(0);

  await page.clock.fastForward(5_000);
  await hearOfDeploys(page);
  await expect(hint(page)).toHaveCount(0);

  await goLive(desk, await publish(desk, 'mfe-chat', '9.2.0', saying(HINT, '再一版')));
  await page.clock.fastForward(5_000);
  await hearOfDeploys(page);
  await expect(hint(page)).toBeVisible();
});
