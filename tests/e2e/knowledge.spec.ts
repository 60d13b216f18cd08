import type { Page } from 'playwright/test';
import { addPair } from '../../api/src/testing/knowledge-calls.ts';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { EDITOR, expect, test } from './desk-test.ts';
import { askAs } from './records.ts';
import { expectToast } from './toasts.ts';
import { applySession, ask, openAs, signedIn } from './visit.ts';

// Other parts of the screen, the readers' view, and concurrent changes by other editors: mfe-records/src/knowledge/knowledge.test.tsx.

const POLICY = `# 差旅报销办法

## 住宿标准

住宿费按城市分三档报销：一线城市每晚 600 元，二线城市每晚 450 元，其他城市每晚 350 元。

## 交回期限

报销单须在行程结束后 20 个工作日内交回财务部。
`;

const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name });

async function openKnowledge(page: Page, url: string): Promise<void> {
  await openAs(page, url, EDITOR);
  await page.goto(`${url}/chatbot/knowledge`);
  await expect(page.getByRole('heading', { name: '知识', exact: true })).toBeVisible();
}

test('answers everyone from an uploaded document with its position; an import restores it after deletion', async ({
  page,
  desk,
  newVisitor,
}) => {
  await openKnowledge(page, desk.url);
  await page
    .getByLabel('上传资料')
    .and(page.locator('input'))
    .setInputFiles({ name: '差旅报销办法.md', mimeType: 'text/markdown', buffer: Buffer.from(POLICY) });
  await expect(row(page, /差旅报销办法.*可引用/)).toBeVisible();
  await page.getByRole('link', { name: /差旅报销办法/ }).click();
  const panel = page.getByRole('complementary', { name: /差旅报销办法/ });
  await expect(panel.getByText(/每晚 600 元/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(page.getByRole('link', { name: /差旅报销办法/ })).toBeFocused();

  const guest = await newVisitor();
  await guest.goto(`${desk.url}/chatbot/index`);
  expect(await ask(guest, '一线城市的住宿费每晚报销多少？')).toContain('600 元');
  await guest
    .getByRole('button', { name: /引用 1/ })
    .first()
    .click();
  await expect(guest.getByText(/差旅报销办法/).first()).toBeVisible();

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
  await box.getByRole('button', { name: '导入', exact: true }).click();
  await expect(box.getByText('导入完成')).toBeVisible();
  await box.getByRole('button', { name: '关闭' }).last().click();
  await expect(row(page, /差旅报销办法.*可引用/)).toBeVisible();
});

test('an editor answers an unanswered question in the inbox, and the visitor sees the answer', async ({
  page,
  desk,
  newVisitor,
}) => {
  const asker = createVisitor(desk.url);
  const [asked] = await askAs(asker, [{ text: '鲸鱼标本馆周几闭馆？' }]);
  expect(asked?.source).toBe('none');

  await openKnowledge(page, desk.url);
  await expect(page.getByRole('link', { name: /^知识 ，未答 \d+ 个/ })).toBeVisible();
  const inbox = page.getByRole('complementary', { name: '未答' });
  await inbox.getByRole('button', { name: '写答案：鲸鱼标本馆周几闭馆？' }).click();
  await inbox.getByRole('textbox', { name: '答案' }).fill('**周一**闭馆，节假日除外。');
  await inbox.getByRole('button', { name: '存为问答' }).click();
  await expectToast(page, '已存为问答，问过的人会看到答案');
  await expect(inbox.getByText('鲸鱼标本馆周几闭馆？')).toHaveCount(0);
  await expect(page.getByRole('region', { name: '问答' }).getByText('鲸鱼标本馆周几闭馆？')).toBeVisible();

  const guest = await newVisitor();
  await applySession(guest, desk.url, asker);
  await guest.goto(`${desk.url}/chatbot/index?c=${asked?.conversationId}`);
  await expect(guest.getByRole('region', { name: '现在有答案了' })).toContainText('周一闭馆');
  await guest.goto(`${desk.url}/chatbot/history`);
  await expect(guest.getByRole('article', { name: '记录详情' }).getByText('现在有答案了')).toBeVisible();
  expect((await askAs(asker, [{ text: '鲸鱼标本馆周几闭馆？' }]))[0]?.response).toContain('周一');
});

test('shows which questions get another answer before a curated answer is saved', async ({ page, desk }) => {
  await openKnowledge(page, desk.url);
  await page.getByRole('button', { name: '新建问答' }).click();
  const fresh = page.getByRole('dialog', { name: '新建问答' });
  await expect(fresh.getByLabel('问题', { exact: true })).toBeFocused();
  await fresh.getByLabel('问题', { exact: true }).fill('你能做什么');
  await fresh.getByRole('textbox', { name: '答案' }).fill('**报销**的事都可以问。');
  await fresh.getByRole('button', { name: '保存' }).click();
  const changed = fresh.getByRole('region', { name: /个问题的答案会改变/ });
  await expect(changed.getByRole('region', { name: /^你能做什么 现在/ })).toContainText('使用手册');
  await expect(changed.getByRole('region', { name: /^你能做什么 之后/ })).toContainText('报销的事都可以问');
  await fresh.getByRole('button', { name: '返回修改' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: '新建问答' })).toBeFocused();
});

test('a synonym takes effect for visitors, after a preview of what it changes', async ({ page, desk }) => {
  const editor = await signedIn(desk.url, EDITOR);
  await addPair(editor, { question: '摆渡船几点开', answer: '每小时一班。' });
  const asker = createVisitor(desk.url);
  expect((await askAs(asker, [{ text: '跳岛艇几点开' }]))[0]?.source).not.toBe('curated');

  await openKnowledge(page, desk.url);
  await page.getByRole('button', { name: '更多', exact: true }).click();
  await page.getByRole('menuitem', { name: '同义词' }).click();
  const section = page.getByRole('region', { name: '同义词' });
  await section.getByLabel('一行一组').fill('摆渡船，跳岛艇');
  await section.getByRole('button', { name: '看看会改变什么' }).click();
  await expect(section.getByRole('region', { name: /未答的问题会有不同的结果/ })).toContainText(
    '跳岛艇几点开',
  );
  await section.getByRole('button', { name: '保存' }).click();
  await expectToast(page, '已保存，马上生效');

  expect((await askAs(asker, [{ text: '跳岛艇几点开' }]))[0]).toMatchObject({
    source: 'curated',
    response: '每小时一班。',
  });
});

test('golden questions show what a change makes better or worse, before it is saved and after', async ({
  page,
  desk,
}) => {
  await openKnowledge(page, desk.url);
  await page.getByRole('button', { name: '更多', exact: true }).click();
  await page.getByRole('menuitem', { name: '检验问题' }).click();
  const section = page.getByRole('region', { name: '检验问题' });
  await section.getByRole('button', { name: '新建检验问题' }).click();
  const fresh = page.getByRole('dialog', { name: '新建检验问题' });
  await fresh.getByLabel('问题', { exact: true }).fill('河豚馆的门票多少钱？');
  await fresh.getByLabel(/^答案里应有的文字/).fill('40 元');
  await fresh.getByRole('button', { name: '保存' }).click();
  const golden = section.getByRole('listitem').filter({ hasText: '河豚馆的门票多少钱？' });
  await expect(golden.getByText('不合预期')).toBeAttached();

  const editor = await signedIn(desk.url, EDITOR);
  await addPair(editor, { question: '河豚馆的门票多少钱？', answer: '每人 40 元。' });
  await expect(golden.getByText('变好')).toBeVisible({ timeout: 60_000 });
  await expect(golden.getByText('符合预期')).toBeAttached();

  await page.goto(`${desk.url}/chatbot/knowledge`);
  await page.getByRole('button', { name: /^河豚馆的门票多少钱/ }).click();
  await page.getByRole('dialog', { name: '编辑问答' }).getByRole('button', { name: '删除' }).click();
  const deletion = page.getByRole('dialog', { name: '删除问答' });
  await expect(deletion.getByRole('region', { name: /个检验问题的结果会改变/ })).toContainText('变差');
});
