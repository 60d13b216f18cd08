import type { Page } from 'playwright/test';
import { makePdf, makePng } from '../../api/src/testing/sample-files.ts';
import { expect, test } from './desk-test.ts';
import { finishedAnswer } from './visit.ts';

const PDF = await makePdf([
  '仓库在苏州工业园区星湖街 328 号。\n发货时间是每天 16:30。',
  '退货寄到同一地址。',
]);
const PNG = makePng(480, 320, 'RF 88213');

const question = (page: Page) => page.getByPlaceholder('请输入问题');
const questions = (page: Page) => page.getByRole('article', { name: '我的问题' });
const chips = (page: Page) => page.getByRole('list', { name: '要发送的文件' }).getByRole('listitem');
const picker = (page: Page) => page.locator('input[type=file]');

test('attaches files by button, drop and paste, answers questions about them, and shows them after a reload', async ({
  page,
  desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  await picker(page).setInputFiles([
    { name: '合同.pdf', mimeType: 'application/pdf', buffer: PDF },
    { name: '正面.png', mimeType: 'image/png', buffer: PNG },
    { name: '反面.png', mimeType: 'image/png', buffer: PNG },
  ]);
  // Dropping works once the chunk that shows file chips is loaded.
  await expect(chips(page)).toHaveCount(3);
  await drop(page, '假期.md', '# 假期\n\n每年有 12 天带薪假。', 'text/markdown');
  await paste(page, '天数.csv', '姓名,天数\n张三,12\n', 'text/csv');
  await expect(chips(page)).toHaveCount(5);
  await question(page).fill('仓库在哪里？');
  await question(page).press('Enter');
  await expect(chips(page)).toHaveCount(0);
  expect(await finishedAnswer(page)).toContain('星湖街');
  await page.reload();

  const files = questions(page).getByRole('list', { name: '文件' }).getByRole('button');
  await expect(files).toHaveText([/合同\.pdf/, /假期\.md/, /天数\.csv/]);
  const coming = page.waitForEvent('download');
  await files.first().click();
  expect((await coming).suggestedFilename()).toBe('合同.pdf');

  const pictures = questions(page).getByRole('list', { name: '图片' });
  await expect(pictures.locator('img')).toHaveCount(2);
  await pictures.getByRole('button', { name: '查看图片 正面.png' }).click();
  const dialog = page.getByRole('dialog', { name: '查看图片' });
  await expect(dialog.getByRole('img', { name: '正面.png' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  const second = dialog.getByRole('img', { name: '反面.png' });
  await expect(second).toBeVisible();
  const box = (await second.boundingBox())!;
  await page.mouse.move(box.x + box.width / 4, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 4 + 90, box.y + 44, { steps: 4 });
  await page.mouse.up();
  await expect(dialog.getByRole('img', { name: '正面.png' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

// Rejected files: mfe-chat/src/ask/files/files.test.tsx and api/src/chat/predict-routes.test.ts.
test('shows upload progress; a cancelled upload leaves nothing on the server', async ({ page, desk }) => {
  await page.goto(`${desk.url}/chatbot/index`);
  const client = await page.context().newCDPSession(page);
  const throttle = (uploadThroughput: number) =>
    client.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await client.send('Network.enable');
  await throttle(200 * 1024);
  const buffer = Buffer.from('仓库在苏州。'.repeat(150_000));
  await picker(page).setInputFiles([{ name: '手册.txt', mimeType: 'text/plain', buffer }]);
  await question(page).fill('仓库在哪里？');
  await question(page).press('Enter');
  await expect(page.getByText(/已上传 [1-9].* \/ 2\.6 MB/)).toBeVisible();
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^[1-9]/);
  await page.getByRole('button', { name: '取消' }).click();
  await expect(page.getByRole('article')).toHaveCount(0);
  await expect(question(page)).toHaveValue('仓库在哪里？');
  await expect(chips(page)).toHaveCount(1);
  await throttle(-1);
  await page.reload();
  await expect(page.getByText('还没有会话', { exact: true })).toBeVisible();
  await expect(question(page)).toHaveValue('仓库在哪里？');
});

test('chooses a model, shows its name and reasoning, and stores the choice', async ({
  page,
  deskWithModel: desk,
}) => {
  await page.goto(`${desk.url}/chatbot/index`);
  const choice = page.getByRole('combobox', { name: '回答方式' });
  await expect(choice).toHaveValue('stand-in');
  await question(page).fill('怎样删除会话？想一想');
  await question(page).press('Enter');
  expect(await finishedAnswer(page)).toContain('由 stand-in 回答');
  await page.getByText('思考过程').click();
  await expect(page.getByText('先想一想。再想一想。')).toBeVisible();

  await choice.selectOption({ label: '只用知识库' });
  await page.reload();
  await expect(choice).toHaveValue('none');
  await question(page).fill('怎样删除会话？');
  await question(page).press('Enter');
  await expect(page.getByRole('article')).toHaveCount(4);
  expect(await finishedAnswer(page)).not.toContain('由 stand-in 回答');
});

/** Drags a file over the chat and drops it. */
async function drop(page: Page, name: string, text: string, type: string): Promise<void> {
  const hint = page.getByText('松开即可添加文件');
  const transfer = await page.evaluateHandle(
    (file) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([file.text], file.name, { type: file.type }));
      return dataTransfer;
    },
    { name, text, type },
  );
  const log = page.getByRole('log');
  for (const event of ['dragenter', 'dragover']) await log.dispatchEvent(event, { dataTransfer: transfer });
  await expect(hint).toBeVisible();
  await log.dispatchEvent('drop', { dataTransfer: transfer });
  await expect(hint).toBeHidden();
}

async function paste(page: Page, name: string, text: string, type: string): Promise<void> {
  await question(page).evaluate(
    (field, file) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([file.text], file.name, { type: file.type }));
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    { name, text, type },
  );
}
