import { checkScreen } from './check-screen.ts';
import { expect, test } from './desk-test.ts';
import { bringIn } from './records.ts';
import { ask, signUpAndIn } from './visit.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

for (const size of SIZES)
  test.describe(`${size.width} px`, () => {
    test.use({ viewport: size });

    test('every screen of a guest', async ({ page, desk }) => {
      for (const path of ['login', 'register', 'test', 'index', 'history', 'report']) {
        await page.goto(`${desk.url}/chatbot/${path}`);
        await expect(page.getByRole('heading').first()).toBeVisible();
        await page.waitForLoadState('networkidle');
        await checkScreen(page, path);
      }
    });

    test('every screen of someone who has asked and signed in', async ({ page, desk }) => {
      test.setTimeout(120_000);
      await signUpAndIn(page, desk.url, `screens-${size.width}`, 'a-long-password');
      await ask(page, '怎样删除会话？');
      await ask(page, '有哪些环境变量可以设置？');
      await checkScreen(page, 'a conversation');
      await page
        .getByRole('article', { name: '咨询台的回答' })
        .last()
        .getByRole('button', { name: /引用 1/ })
        .first()
        .click();
      await checkScreen(page, 'a citation');
      for (const path of ['history', 'report', 'account', 'nowhere']) {
        await page.goto(`${desk.url}/chatbot/${path}`);
        await expect(page.getByRole('heading').first()).toBeVisible();
        await page.waitForLoadState('networkidle');
        await checkScreen(page, path);
      }
    });

    test('every state of the records', async ({ page, desk }) => {
      test.setTimeout(240_000);
      await page.goto(`${desk.url}/chatbot/history`);
      await expect(page.getByRole('heading', { name: '还没有记录' })).toBeVisible();
      await bringIn(page, 60);
      await page.goto(`${desk.url}/chatbot/history?q=退款`);
      await expect(page.getByText('60 条', { exact: true })).toBeVisible();
      await page
        .getByRole('checkbox', { name: /^选择：/ })
        .nth(1)
        .click();
      await checkScreen(page, 'ticked records');
      await page.getByRole('button', { name: '更多' }).click();
      await checkScreen(page, 'the menu of the records');
      await page.getByRole('menuitem', { name: '按联系人删除…' }).click();
      const erase = page.getByRole('dialog', { name: '删除记录' });
      await erase.getByRole('textbox').fill('张三');
      await erase.getByRole('textbox', { name: /以确认/ }).fill('1380013800');
      await checkScreen(page, 'erasing by contact');
      await erase.getByRole('textbox', { name: /以确认/ }).fill('13800138000');
      await checkScreen(page, 'erasing by contact, confirmed');
      await erase.getByRole('button', { name: '删除 30 条' }).click();
      await expect(page.getByText('已删除 30 条，7 天内可撤销')).toBeVisible();
      await checkScreen(page, 'records erased');
      await page.getByRole('link', { name: '回收站' }).click();
      const bin = page.getByRole('dialog', { name: '回收站' });
      await bin.getByRole('button', { name: /^彻底清除/ }).click();
      await checkScreen(page, 'the bin');
      await page.goto(`${desk.url}/chatbot/history?q=没有这样的词`);
      await expect(page.getByRole('heading', { name: '没有符合条件的记录' })).toBeVisible();
      await checkScreen(page, 'nothing found');
      await page.goto(`${desk.url}/chatbot/history?bin=1`);
      await bin.getByRole('button', { name: /^撤销：/ }).click();
      await expect(bin.getByText('回收站是空的')).toBeVisible();
      await checkScreen(page, 'an empty bin');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: '更多' }).click();
      await page.getByRole('menuitem', { name: '导入…' }).click();
      await expect(page.getByRole('dialog', { name: '导入记录' })).toBeVisible();
      await checkScreen(page, 'taking records in');
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: /第 0 个问题/ }).click();
      await page
        .getByRole('article', { name: '记录详情' })
        .getByRole('button', { name: '有帮助', exact: true })
        .click();
      await checkScreen(page, 'a record in full');
    });
  });
