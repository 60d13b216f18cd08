import type { Page } from 'playwright/test';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { askForPerson } from './ask-for-person.ts';
import { OPS } from './deploy.ts';
import { EDITOR, expect, test } from './desk-test.ts';
import { askAs } from './records.ts';
import { openAs, signedIn } from './visit.ts';

// Failures, drafts and lost connections: mfe-records/src/inbox/inbox.test.tsx. Accessibility: screens.spec.ts.

const request = (page: Page) => page.getByRole('article', { name: '咨询详情' });

async function openInbox(page: Page, url: string, username = EDITOR): Promise<void> {
  await openAs(page, url, username);
  await page.goto(`${url}/chatbot/inbox`);
  await expect(page.getByRole('region', { name: '人工咨询列表' })).toBeVisible();
}

test('an editor takes a request, replies, makes a curated answer of it and closes it', async ({
  page,
  desk,
}) => {
  await openInbox(page, desk.url);
  await expect(page.getByRole('link', { name: /^人工咨询/ })).toBeVisible();
  const { visitor, id } = await askForPerson(desk.url, '灯塔几点开放参观？', '13800138000');
  await page.getByRole('link', { name: '灯塔几点开放参观？' }).click();
  await expect(request(page).getByText('等待接手')).toBeVisible();
  await expect(request(page).getByRole('link', { name: '13800138000' })).toBeVisible();

  await request(page).getByRole('button', { name: '接手' }).click();
  await expect(request(page).getByText('我在处理')).toBeVisible();
  await page.keyboard.type('每天九点到十七点。');
  await page.keyboard.press('Enter');
  await expect(request(page).getByRole('log')).toContainText('每天九点到十七点。');
  await expect(request(page).getByText('我已回复')).toBeVisible();
  await visitor.call('POST', `/api/handovers/${id}/messages`, { text: '周一也开吗？', clientId: 'second' });
  await expect(request(page).getByRole('log')).toContainText('周一也开吗？');

  await request(page).getByRole('button', { name: '存为问答' }).click();
  const dialog = page.getByRole('dialog', { name: '存为问答' });
  await expect(dialog.getByRole('textbox', { name: '答案' })).toHaveValue('每天九点到十七点。');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(request(page).getByRole('link', { name: '已存为问答，去查看' })).toBeVisible();
  const [answer] = await askAs(createVisitor(desk.url), [{ text: '灯塔几点开放参观？' }]);
  expect(answer).toMatchObject({ source: 'curated', response: '每天九点到十七点。' });

  await request(page).getByRole('button', { name: '结束' }).click();
  await expect(request(page).getByText('已结束', { exact: true })).toBeVisible();
  await page.reload();
  await expect(request(page).getByRole('heading', { name: '灯塔几点开放参观？' })).toBeVisible();
  await page.getByRole('radio', { name: '已结束' }).click();
  await expect(page.getByRole('link', { name: '灯塔几点开放参观？' })).toBeVisible();
});

test.describe(() => {
  test.use({ expectedErrors: /status of 409 .*\/api\/inbox\/\w+\/take/ });

  test('the slower of two editors learns who has taken a request, and can release it', async ({
    page,
    desk,
  }) => {
    const second = 'inbox-second';
    await signedIn(desk.url, second);
    const admin = { Authorization: `Bearer ${OPS.OPS_TOKEN}` };
    const granted = createVisitor(desk.url).call('POST', '/ops/editors/grant', { username: second }, admin);
    expect((await granted).status).toBe(200);
    const { id } = await askForPerson(desk.url, '码头的船几点开？');
    // Events would show it at once.
    await page.route('**/api/inbox/events', () => undefined);
    await openInbox(page, desk.url, second);
    await page.getByRole('link', { name: '码头的船几点开？' }).click();
    const take = request(page).getByRole('button', { name: '接手' });
    await expect(take).toBeVisible();

    const first = await signedIn(desk.url, EDITOR);
    expect((await first.call('POST', `/api/inbox/${id}/take`)).status).toBe(200);
    await take.click();
    await expect(request(page).getByRole('alert')).toHaveText(`${EDITOR} 已经接手了这次咨询`);
    await expect(request(page).getByText(`${EDITOR} 在处理`, { exact: true })).toBeVisible();
    await expect(take).toHaveCount(0);
    await request(page).getByRole('button', { name: '退回' }).click();
    await expect(take).toBeVisible();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('a request is opened, answered and left with the keyboard alone', async ({ page, desk }) => {
    const question = '渡口晚上有船吗？';
    await askForPerson(desk.url, question);
    await openInbox(page, desk.url);
    const row = page.getByRole('link', { name: question });
    await expect(row).toBeVisible();
    await page.getByRole('radio', { name: '未结束' }).focus();
    await tabTo(page, question);
    await page.keyboard.press('Enter');
    const back = request(page).getByRole('link', { name: '返回列表' });
    await expect(back).toBeFocused();
    await expect(request(page).getByRole('button', { name: '接手' })).toBeVisible();
    await tabTo(page, '接手');
    await page.keyboard.press('Enter');
    await expect(request(page).getByRole('textbox', { name: '答复' })).toBeFocused();
    await page.keyboard.type('九点以后没有。');
    await page.keyboard.press('Enter');
    await expect(request(page).getByRole('log')).toContainText('九点以后没有。');
    await expect(request(page).getByRole('textbox', { name: '答复' })).toHaveValue('');

    await page.goBack();
    await expect(row).toBeFocused();
  });
});

test('explains to other accounts that agents answer, and has no menu entry for them', async ({
  page,
  desk,
}) => {
  await openAs(page, desk.url, 'inbox-reader');
  await page.goto(`${desk.url}/chatbot/inbox`);
  await expect(page.getByRole('heading', { name: '人工咨询由客服答复' })).toBeVisible();
  const menu = page.getByRole('navigation', { name: '主导航' });
  await expect(menu.getByRole('link', { name: '知识' })).toBeVisible();
  await expect(menu.getByRole('link', { name: /人工咨询/ })).toHaveCount(0);
});

/** Presses Tab until the focus is on the element with this text. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement?.textContent === wanted, text)) return;
  }
  throw new Error(`expected Tab to reach "${text}"`);
}
