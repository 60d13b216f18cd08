import type { Page } from 'playwright/test';
import type { OverrideLink, PreviewInfo } from '../../api/src/contract/compositions.ts';
import { findProxy, type RunningProxy, startRealProxy } from '../contract/start-real-proxy.ts';
import { freePort } from '../start-desk.ts';
import { replacingText } from './copy-build.ts';
import { call, goLive, OPS, publish } from './deploy.ts';
import { expect, test } from './desk-test.ts';
import { ask, signUpAndIn } from './visit.ts';
import { watchViolations } from './watch-violations.ts';

test.skip(!findProxy('nginx'), 'nginx is not installed: apt-get install nginx');

/** The proxy's certificate is not verified. The account of this test is no administrator. */
test.use({
  ignoreHTTPSErrors: true,
  expectedErrors: /status of 401 .*\/desk\/admin\/auth|status of 403 .*\/desk\/api\/settings/,
});

/** Fails the test if a page requests anything outside the path. The returned function also checks where cookies are sent. */
function watchPaths(page: Page, url: string): () => Promise<void> {
  const outside: string[] = [];
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(`${url}/`)) outside.push(request.url());
  });
  return async () => {
    expect(outside).toEqual([]);
    const cookies = await page.context().cookies();
    expect(cookies.length).toBeGreaterThan(0);
    for (const { name, path } of cookies)
      expect([name, path]).toEqual([name, expect.stringMatching(/^\/desk\//)]);
  };
}

test('the whole desk works below a path that nginx removes', async ({ page, newVisitor, startAnother }) => {
  const port = await freePort();
  let proxy: RunningProxy | undefined;
  const proxyPort = await freePort();
  const url = `https://localhost:${proxyPort}/desk`;
  const desk = await startAnother({ port, env: { ...OPS, PUBLIC_URL: url, TRUST_PROXY: '1' } });
  try {
    proxy = await startRealProxy('nginx', [port, port], { port: proxyPort, basePath: '/desk' });
    await watchViolations(page);
    const inside = watchPaths(page, url);

    // A guest asks, reads a source, and shares the conversation.
    await page.goto(`${url}/`);
    await expect(page).toHaveURL(`${url}/chatbot/index`);
    expect(await ask(page, '怎样删除会话？')).toContain('删除');
    await page
      .getByRole('button', { name: /^引用 1/ })
      .first()
      .click();
    await expect(page.getByRole('complementary')).toBeVisible();

    // Signing up, a guarded screen before it, a reload, and an address that does not exist.
    await page.goto(`${url}/chatbot/account`);
    await expect(page).toHaveURL(`${url}/chatbot/login`);
    await signUpAndIn(page, url, 'below', 'a-long-password');
    await expect(page.getByRole('complementary', { name: '会话' })).toContainText('怎样删除会话？');
    for (const [path, heading] of [
      ['/history', '记录'],
      ['/report', '报告'],
      ['/knowledge', '知识'],
      ['/settings', '设置'],
      ['/account', '账号'],
    ]) {
      await page.goto(`${url}/chatbot${path}`);
      await expect(page.getByRole('heading', { level: 1 })).toContainText(heading!);
    }
    await page.goto(`${url}/chatbot/nowhere`);
    await expect(page.getByText('/desk/chatbot/nowhere')).toBeVisible();
    await page.getByRole('link', { name: /咨询/ }).first().click();
    await expect(page).toHaveURL(new RegExp(`^${url}/chatbot/index`));

    // A release is published, previewed by its link, left, and goes live.
    const release = await publish(desk, 'mfe-chat', '7.0.0', replacingText('请输入问题', '请写下问题'));
    const { composition } = await call<{ composition: string }>(desk, 'GET', '/ops/live');
    const preview = await call<PreviewInfo>(desk, 'POST', '/ops/previews', {
      name: 'a-branch',
      releases: [release],
      author: 'li',
    });
    expect(preview.url).toMatch(`${url}/chatbot/preview/`);
    await page.goto(preview.url);
    await page.getByRole('button', { name: '用我的账号打开' }).click();
    await expect(page.getByPlaceholder('请写下问题')).toBeVisible();
    await page.getByRole('button', { name: '退出' }).click();
    await expect(page.getByPlaceholder('请输入问题')).toBeVisible();
    const override = await call<OverrideLink>(desk, 'POST', '/ops/override', { composition, author: 'li' });
    expect(override.url).toMatch(`${url}/chatbot/override/`);
    const other = await newVisitor({ ignoreHTTPSErrors: true, locale: 'zh-CN' });
    await goLive(desk, release);
    await other.goto(`${url}/chatbot/index`);
    await expect(other.getByPlaceholder('请写下问题')).toBeVisible();
    await inside();
    // Idle pages still load what they may need later.
    await Promise.all([page.close(), other.close()]);
  } finally {
    await proxy?.stop();
  }
});
