import { collectReports, testBrokenRelease } from './broken-release.ts';
import { wrappingModule } from './copy-build.ts';
import { goLive, publish } from './deploy.ts';
import { expect, test } from './deployed-desk.ts';

// Tampered files: integrity.spec.ts. All other cases: remote-loader.test.ts, federation.test.ts, and broken-releases.long.spec.ts.
testBrokenRelease('throws in an effect of its first render', '7.3.0');

// Also in host/src/remotes/remote-screen.test.tsx and host/src/reports.
test.describe('a release that leaks', { tag: '@long' }, () => {
  // The second error is caused by the style element that the release leaves in the head.
  test.use({
    expectedErrors: /broken on purpose: (timer|promise)|Applying inline style /,
  });

  test('timers and elements: other screens stay usable, and its errors are counted for that release', async ({
    page,
    desk,
  }) => {
    const version = '7.4.0';
    await goLive(desk, await publish(desk, 'mfe-chat', version, leaking));
    const events = await collectReports(page);
    await page.goto(`${desk.url}/chatbot/index`);
    await expect(page.getByPlaceholder('请输入问题')).toBeVisible();
    await expect(page.locator('#veil')).toBeAttached();
    // By keyboard, because the overlay covers everything.
    await page.getByRole('navigation').getByRole('link', { name: '记录' }).press('Enter');
    await expect(page.getByText('还没有记录')).toBeVisible();
    await expect(page.locator('#veil')).toHaveCount(0);
    await expect(page.locator('body')).toHaveJSProperty('style.cssText', '');
    await expect(page.locator('#leaked')).toHaveCount(0);
    await page.getByRole('navigation').getByRole('link', { name: '报告' }).click();
    await expect(page.getByRole('heading', { level: 1, name: '报告' })).toBeVisible();

    // Each error is reported once, however often it is thrown.
    await expect
      .poll(async () => (await events()).filter(({ kind }) => kind === 'error'))
      .toEqual([
        expect.objectContaining({
          remote: 'mfe-chat',
          version,
          error: expect.stringContaining('broken on purpose: timer'),
        }),
        expect.objectContaining({
          remote: 'mfe-chat',
          version,
          error: expect.stringContaining('broken on purpose: promise'),
        }),
      ]);
  });
});

const leaking = wrappingModule('./chat', (run: () => { default(props: object): unknown }) => {
  const module = run();
  const { default: Screen } = module;
  let hasLeaked = false;
  const leak = () => {
    setInterval(() => {
      throw new Error('broken on purpose: timer');
    }, 40);
    addEventListener('click', () => {
      void Promise.reject(new Error('broken on purpose: promise'));
    });
    const veil = document.createElement('div');
    veil.id = 'veil';
    veil.style.cssText = 'position:fixed;inset:0;z-index:9999';
    setTimeout(() => document.body.append(veil), 300);
    document.body.style.pointerEvents = 'none';
    const style = document.createElement('style');
    style.id = 'leaked';
    document.head.append(style);
  };
  const Leaking = (props: object) => {
    if (!hasLeaked) leak();
    hasLeaked = true;
    return Screen(props);
  };
  return { ...module, default: Leaking };
});
