import type { Browser, Page } from 'playwright/test';
import type { Desk } from '../start-desk.ts';
import { checkScreen } from './check-screen.ts';
import { expect, test } from './desk-test.ts';
import { ask, signIn, signUpAndIn } from './visit.ts';

const PASSWORD = 'a-long-password';
const POLICY = `# 差旅报销办法

## 住宿标准

住宿费按城市分三档报销：一线城市每晚 600 元，二线城市每晚 450 元，其他城市每晚 350 元。

## 交回期限

报销单须在行程结束后 20 个工作日内交回财务部。
`;

const pageOf = async (browser: Browser, viewport = { width: 1280, height: 800 }): Promise<Page> =>
  (await browser.newContext({ viewport })).newPage();
const openKnowledge = async (page: Page) => {
  await page.getByRole('link', { name: /^知识/ }).click();
  await expect(page.getByRole('heading', { name: '知识', exact: true })).toBeVisible();
};
const upload = (page: Page, name: string, text: string) =>
  page
    .getByLabel('上传资料')
    .and(page.locator('input'))
    .setInputFiles({ name, mimeType: 'text/markdown', buffer: Buffer.from(text) });
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name });

// One desk with nothing in it, in this order: the first account is its editor.
test.describe.configure({ mode: 'serial' });
let desk: Desk;
test.beforeAll(async ({ startAnother }) => {
  desk = await startAnother();
});

test('a guest finds no knowledge on the rail, asks nothing about it, and is led to sign in', async ({
  browser,
}) => {
  const page = await pageOf(browser);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/knowledge')) asked.push(request.url());
  });
  await page.goto(`${desk.url}/chatbot/index`);
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('link', { name: /^知识/ })).toHaveCount(0);
  await page.goto(`${desk.url}/chatbot/knowledge`);
  await expect(page).toHaveURL(/\/chatbot\/login$/);
  expect(asked).toEqual([]);
});

test('what an editor uploads answers everyone, with its place', async ({ page, browser }) => {
  await signUpAndIn(page, desk.url, 'editor', PASSWORD);
  await openKnowledge(page);
  await expect(page.getByText('上传第一份资料')).toBeVisible();
  await upload(page, '差旅报销办法.md', POLICY);
  await expect(row(page, /差旅报销办法.*可引用/)).toBeVisible();
  await page.getByRole('link', { name: /差旅报销办法/ }).click();
  const panel = page.getByRole('complementary', { name: /差旅报销办法/ });
  await expect(panel.getByText(/每晚 600 元/)).toBeVisible();
  await checkScreen(page, 'a document with its passages');
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(page.getByRole('link', { name: /差旅报销办法/ })).toBeFocused();

  const guest = await pageOf(browser);
  await guest.goto(`${desk.url}/chatbot/index`);
  const answer = await ask(guest, '一线城市的住宿费每晚报销多少？');
  expect(answer).toContain('600 元');
  await guest
    .getByRole('button', { name: /引用 1/ })
    .first()
    .click();
  await expect(guest.getByText(/差旅报销办法/).first()).toBeVisible();
});

test('a question without an answer is answered from the inbox, and its asker reads it', async ({
  page,
  browser,
}) => {
  const guest = await pageOf(browser);
  await guest.goto(`${desk.url}/chatbot/index`);
  await ask(guest, '鲸鱼标本馆周几闭馆？');

  await page.goto(`${desk.url}/chatbot/login`);
  await signIn(page, 'editor', PASSWORD);
  await expect(page.getByRole('link', { name: /^知识 ，未答 \d+ 个/ })).toBeVisible();
  await openKnowledge(page);
  const inbox = page.getByRole('complementary', { name: '未答' });
  await inbox.getByRole('button', { name: '写答案：鲸鱼标本馆周几闭馆？' }).click();
  await inbox.getByRole('textbox', { name: '答案' }).fill('**周一**闭馆，节假日除外。');
  await checkScreen(page, 'an answer being written');
  await page.reload();
  await inbox.getByRole('button', { name: '写答案：鲸鱼标本馆周几闭馆？' }).click();
  await expect(inbox.getByRole('textbox', { name: '答案' })).toHaveValue('**周一**闭馆，节假日除外。');
  await inbox.getByRole('button', { name: '存为问答' }).click();
  await expect(page.getByText('已存为问答，问过的人会看到答案')).toBeVisible();
  await expect(inbox.getByText('鲸鱼标本馆周几闭馆？')).toHaveCount(0);
  await expect(page.getByRole('link', { name: '知识', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: '问答' }).getByText('鲸鱼标本馆周几闭馆？')).toBeVisible();

  await guest.reload();
  const since = guest.getByRole('region', { name: '现在有答案了' });
  await expect(since).toContainText('周一闭馆');
  await guest.goto(`${desk.url}/chatbot/history`);
  await expect(guest.getByRole('article', { name: '记录详情' }).getByText('现在有答案了')).toBeVisible();
  expect(await ask(await freshChat(guest, desk.url), '鲸鱼标本馆周几闭馆？')).toContain('周一');
});

test('an answer that would replace another is shown before it is saved, and deleted with a look at what follows', async ({
  page,
}) => {
  await page.goto(`${desk.url}/chatbot/login`);
  await signIn(page, 'editor', PASSWORD);
  await openKnowledge(page);
  await page.getByRole('button', { name: '新建问答' }).click();
  const fresh = page.getByRole('dialog', { name: '新建问答' });
  await expect(fresh.getByLabel('问题', { exact: true })).toBeFocused();
  await fresh.getByLabel('问题', { exact: true }).fill('你能做什么');
  await fresh.getByRole('textbox', { name: '答案' }).fill('**报销**的事都可以问。');
  await checkScreen(page, 'a new answer');
  await fresh.getByRole('button', { name: '保存' }).click();
  const changed = fresh.getByRole('region', { name: /个问题的答案会改变/ });
  await expect(changed.getByRole('region', { name: /^你能做什么 现在/ })).toContainText('使用手册');
  await expect(changed.getByRole('region', { name: /^你能做什么 之后/ })).toContainText('报销的事都可以问');
  await checkScreen(page, 'what would change');
  await fresh.getByRole('button', { name: '返回修改' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: '新建问答' })).toBeFocused();

  await page.getByRole('button', { name: /^鲸鱼标本馆周几闭馆？.*编辑问答$/ }).click();
  await page.getByRole('dialog', { name: '编辑问答' }).getByRole('button', { name: '删除' }).click();
  const erase = page.getByRole('dialog', { name: '删除问答' });
  await expect(erase).toContainText('连同它的 1 种问法');
  await checkScreen(page, 'deleting an answer');
  await erase.getByRole('button', { name: '删除这对问答' }).click();
  await expect(page.getByText('已删除这对问答')).toBeVisible();
  await expect(page.getByRole('button', { name: /^鲸鱼标本馆周几闭馆？.*编辑问答$/ })).toHaveCount(0);
});

test('what could not be read says why, and goes away again', async ({ page }) => {
  await page.goto(`${desk.url}/chatbot/login`);
  await signIn(page, 'editor', PASSWORD);
  await openKnowledge(page);
  await upload(page, '残缺.pdf', '%PDF-1.7 not one');
  await expect(row(page, /残缺\.pdf.*(损坏|读取)/)).toBeVisible();
  await page.getByRole('button', { name: '更多：残缺.pdf' }).click();
  await page.getByRole('menuitem', { name: '删除' }).click();
  await page.getByRole('dialog', { name: '删除资料' }).getByRole('button', { name: '删除这份资料' }).click();
  await expect(row(page, /残缺/)).toHaveCount(0);
});

test('all of it is taken along and brought back', async ({ page }) => {
  await page.goto(`${desk.url}/chatbot/login`);
  await signIn(page, 'editor', PASSWORD);
  await openKnowledge(page);
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: '更多', exact: true }).click();
  await page.getByRole('menuitem', { name: '导出全部知识' }).click();
  const file = await (await coming).path();
  await row(page, /差旅报销办法/)
    .getByRole('button', { name: /^更多：/ })
    .click();
  await page.getByRole('menuitem', { name: '删除' }).click();
  await page.getByRole('dialog', { name: '删除资料' }).getByRole('button', { name: '删除这份资料' }).click();
  await expect(row(page, /差旅报销办法/)).toHaveCount(0);

  await page.getByRole('button', { name: '更多', exact: true }).click();
  await page.getByRole('menuitem', { name: '导入…' }).click();
  const box = page.getByRole('dialog', { name: '导入知识' });
  await box.getByLabel('选择文件').setInputFiles(file);
  await expect(box.getByText(/里有 1 份资料/)).toBeVisible();
  await checkScreen(page, 'taking knowledge in');
  await box.getByRole('button', { name: '导入', exact: true }).click();
  await expect(box.getByText('导入完成')).toBeVisible();
  await box.getByRole('button', { name: '关闭' }).last().click();
  await expect(row(page, /差旅报销办法.*可引用/)).toBeVisible();
});

test('a reader sees it all and changes nothing', async ({ page }) => {
  await signUpAndIn(page, desk.url, 'reader', PASSWORD);
  await openKnowledge(page);
  await expect(row(page, /差旅报销办法.*可引用/)).toBeVisible();
  await expect(page.getByRole('button', { name: /上传资料|新建问答/ })).toHaveCount(0);
  await expect(page.getByRole('complementary', { name: '未答' })).toHaveCount(0);
  await checkScreen(page, 'what a reader sees');
});

for (const width of [390, 320])
  test(`${width} px: one part at a time, and nothing sticks out`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${desk.url}/chatbot/login`);
    await signIn(page, 'editor', PASSWORD);
    await openKnowledge(page);
    await expect(row(page, /差旅报销办法/)).toBeVisible();
    await checkScreen(page, 'documents');
    await page.getByRole('link', { name: /差旅报销办法/ }).click();
    await expect(page.getByText(/每晚 600 元/)).toBeVisible();
    await checkScreen(page, 'a document over the screen');
    await page.getByRole('link', { name: '关闭资料' }).click();
    await page.getByRole('radio', { name: '问答' }).click();
    await expect(page.getByRole('searchbox', { name: '按问题找问答' })).toBeVisible();
    await checkScreen(page, 'answers');
    await page.getByRole('radio', { name: /^未答/ }).click();
    await expect(page.getByRole('heading', { name: '未答', exact: true })).toBeVisible();
    await checkScreen(page, 'the inbox');
  });

async function freshChat(page: Page, url: string): Promise<Page> {
  await page.goto(`${url}/chatbot/index`);
  await page.getByRole('button', { name: '新咨询' }).first().click();
  return page;
}
