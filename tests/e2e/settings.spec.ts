import { smallPng } from '../../api/src/testing/small-png.ts';
import { checkScreen } from './check-screen.ts';
import { expect, test } from './desk-test.ts';
import { expectToast } from './toasts.ts';
import { openAs, signedIn } from './visit.ts';

const logo = { name: 'logo.png', mimeType: 'image/png', buffer: smallPng(64, 64, 90) };

test('an administrator sets name, logo, questions and contact details, and visitors see them after a reload', async ({
  page,
  newVisitor,
  startAnother,
}) => {
  const desk = await startAnother();
  await openAs(page, desk.url, 'administrator');
  const visitor = await newVisitor();
  await visitor.goto(`${desk.url}/chatbot/index`);
  await expect(visitor).toHaveTitle('咨询 · 咨询台');

  await page.goto(`${desk.url}/chatbot/index`);
  await page.getByRole('button', { name: '账号：administrator' }).click();
  await page.getByRole('menuitem', { name: '咨询台设置' }).click();
  await expect(page).toHaveURL(/\/chatbot\/settings$/);
  await expect(page.getByRole('main')).toBeFocused();
  const preview = page.getByRole('region', { name: '预览' });
  await page.getByLabel('名称', { exact: true }).fill('华东<b>客服</b>');
  await expect(preview.getByText('华东<b>客服</b>')).toBeVisible();
  await page.getByLabel('欢迎语').fill('您好，想了解什么？');
  await page.getByLabel('开场问题 1').fill('怎样退货？');
  await page.getByLabel('联系方式').fill('电话 400-100-200');
  await page.getByLabel('没有找到时的回答').fill('资料里没有，请**联系我们**。');
  await page.getByLabel('选择图片').setInputFiles(logo);
  await expect(page.getByRole('img', { name: '当前标志' })).toBeVisible();
  await expect(page.getByText('有 6 处修改没有保存')).toBeVisible();
  await checkScreen(page, 'unsaved settings');

  // Leaving and coming back loses nothing.
  await page.getByRole('link', { name: '记录' }).click();
  await page.goBack();
  await expect(page.getByLabel('名称', { exact: true })).toHaveValue('华东<b>客服</b>');
  await page.getByRole('button', { name: '保存', exact: true }).click();
  await expectToast(page, '设置已保存');
  const history = page.getByRole('region', { name: '修改记录' });
  await expect(history.getByText(/开场问题（中文）：（默认） → 怎样退货？/)).toBeVisible();
  await checkScreen(page, 'saved settings');

  const asked: string[] = [];
  visitor.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await visitor.reload();
  await expect(visitor).toHaveTitle('咨询 · 华东<b>客服</b>');
  await expect(visitor.getByText('您好，想了解什么？')).toBeVisible();
  await expect(visitor.getByText('电话 400-100-200')).toBeVisible();
  await expect(visitor.getByRole('link', { name: '华东<b>客服</b>首页' }).locator('img')).toHaveAttribute(
    'src',
    /^\/api\/desk\/logo\?v=/,
  );
  expect(asked).not.toContain('/api/starters');
  await visitor.getByLabel('问题', { exact: true }).fill('木星上有多少只企鹅在滑雪？');
  await visitor.keyboard.press('Enter');
  await expect(visitor.getByText('资料里没有，请联系我们。', { exact: true })).toBeVisible();
  await expect(visitor.getByText('联系方式：电话 400-100-200', { exact: true })).toBeVisible();
  await visitor.goto(`${desk.url}/chatbot/login`);
  await expect(visitor.getByRole('main', { name: '华东<b>客服</b>' })).toBeVisible();
});

test.describe('somebody else', () => {
  test.use({ expectedErrors: /status of 403 .*\/api\/settings|status of 409 .*\/api\/settings/ });

  test('a conflict keeps what was typed; other accounts learn who can change the settings', async ({
    page,
    newVisitor,
    startAnother,
  }) => {
    const desk = await startAnother();
    const admin = await openAs(page, desk.url, 'administrator');
    await page.goto(`${desk.url}/chatbot/settings`);
    await page.getByLabel('名称', { exact: true }).fill('我的');
    const { body } = await admin.call<{ settings: { texts: { zh: { name: string; hours: string } } } }>(
      'GET',
      '/api/settings',
    );
    body.settings.texts.zh.name = '对方';
    body.settings.texts.zh.hours = '全天';
    await admin.call('PUT', '/api/settings', { revision: 0, settings: body.settings });
    await page.getByRole('button', { name: '保存', exact: true }).click();
    const note = page.getByRole('region', { name: /保存前，administrator已于/ });
    await expect(note.getByText(/名称（中文）：（默认） → 对方/)).toBeVisible();
    await expect(page.getByLabel('名称', { exact: true })).toHaveValue('我的');
    await expect(page.getByLabel('办公时间')).toHaveValue('全天');
    await checkScreen(page, 'a conflict of settings');
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await expectToast(page, '设置已保存');

    const other = await newVisitor();
    await signedIn(desk.url, 'reader');
    await openAs(other, desk.url, 'reader');
    await other.goto(`${desk.url}/chatbot/settings`);
    await expect(other.getByText('只有管理员可以修改设置')).toBeVisible();
    await checkScreen(other, 'settings of somebody else');
  });
});
