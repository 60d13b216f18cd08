import type { Page } from 'playwright/test';
import { behave } from '../../api/src/testing/model-behaviours.ts';
import { listenAsModel } from '../../api/src/testing/model-stand-in.ts';
import { encryptedPdf, makePdf, makePng } from '../../api/src/testing/sample-files.ts';
import { checkScreen } from './check-screen.ts';
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
const pdf = (name = '合同.pdf', buffer = PDF) => ({ name, mimeType: 'application/pdf', buffer });
const png = (name: string) => ({ name, mimeType: 'image/png', buffer: PNG });
const attach = (page: Page, files: ReturnType<typeof pdf>[]) =>
  page.locator('input[type=file]').setInputFiles(files);

async function open(page: Page, url: string) {
  await page.goto(`${url}/chatbot/index`);
  await expect(page.getByText('还没有会话', { exact: true })).toBeVisible();
}

for (const size of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
])
  test.describe(`${size.width} px`, () => {
    test.use({ viewport: size });

    test('a PDF and pictures are asked about, shown, looked through, and there after a reload', async ({
      page,
      desk,
    }) => {
      await page.goto(`${desk.url}/chatbot/index`);
      await attach(page, [pdf(), png('正面.png'), png('反面.png')]);
      await expect(chips(page)).toHaveCount(3);
      await checkScreen(page, 'files before they are sent');
      await question(page).fill('仓库在哪里？');
      await question(page).press('Enter');
      await expect(chips(page)).toHaveCount(0);
      expect(await finishedAnswer(page)).toContain('星湖街');
      await page.reload();

      const pictures = questions(page).getByRole('list', { name: '图片' });
      await expect(pictures.getByRole('img')).toHaveCount(0);
      await expect(pictures.locator('img')).toHaveCount(2);
      await checkScreen(page, 'a question with files');
      const coming = page.waitForEvent('download');
      await questions(page)
        .getByRole('button', { name: /^下载\s*合同\.pdf/ })
        .click();
      expect((await coming).suggestedFilename()).toBe('合同.pdf');

      await pictures.getByRole('button', { name: '查看图片 正面.png' }).click();
      const dialog = page.getByRole('dialog', { name: '查看图片' });
      await expect(dialog.getByRole('img', { name: '正面.png' })).toBeVisible();
      await checkScreen(page, 'a picture');
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

      await page.getByRole('button', { name: '为什么' }).click();
      const why = page.getByRole('dialog', { name: '为什么这样回答' });
      await expect(why.getByRole('heading', { name: '查找了这些词' })).toBeVisible();
      await checkScreen(page, 'why it was answered so');
    });
  });

test('files are taken by drop and by paste, and go without words', async ({ page, desk }) => {
  await open(page, desk.url);
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['# 假期\n\n每年有 12 天带薪假。'], '假期.md', { type: 'text/markdown' }));
    const log = document.querySelector('[role=log]')!;
    for (const type of ['dragenter', 'dragover'])
      log.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    Object.assign(window, { transfer });
  });
  await expect(page.getByText('松开即可添加文件')).toBeVisible();
  await page.evaluate(() => {
    const { transfer } = window as unknown as { transfer: DataTransfer };
    document
      .querySelector('[role=log]')!
      .dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await expect(page.getByText('松开即可添加文件')).toBeHidden();
  await question(page).evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['姓名,天数\n张三,12\n'], '天数.csv', { type: 'text/csv' }));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(chips(page)).toHaveCount(2);
  await page.getByRole('button', { name: '发送' }).click();
  await finishedAnswer(page);
  await expect(questions(page).getByRole('list', { name: '文件' }).getByRole('button')).toHaveText([
    /假期\.md/,
    /天数\.csv/,
  ]);
});

test.describe('what does not go through', () => {
  test.use({ expectedErrors: /status of 4\d\d/ });

  test('an encrypted file comes back with its name and the reason, and the rest goes on without it', async ({
    page,
    desk,
  }) => {
    await open(page, desk.url);
    await attach(page, [pdf('加密.pdf', await encryptedPdf()), pdf()]);
    await question(page).fill('仓库在哪里？');
    await question(page).press('Enter');
    await expect(page.getByRole('alert')).toContainText('加密.pdf');
    await expect(question(page)).toHaveValue('仓库在哪里？');
    await expect(chips(page)).toHaveCount(2);
    await expect(page.getByRole('article')).toHaveCount(0);
    await checkScreen(page, 'a file that was refused');

    await page.getByRole('button', { name: '移除 加密.pdf' }).focus();
    await page.keyboard.press('Delete');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await question(page).press('Enter');
    expect(await finishedAnswer(page)).toContain('星湖街');
  });

  test('more than the server takes is refused with its limit, and nothing is lost', async ({
    page,
    desk,
  }) => {
    await open(page, desk.url);
    const large = { name: '大.txt', mimeType: 'text/plain', buffer: Buffer.alloc(21 * 1024 * 1024, 'a') };
    await attach(page, [large]);
    await question(page).fill('看看');
    await question(page).press('Enter');
    await expect(page.getByRole('alert')).toContainText('20 MB');
    await expect(chips(page)).toHaveCount(1);
    await expect(question(page)).toHaveValue('看看');
  });
});

test('an upload is told in bytes and called off in the middle, and leaves nothing', async ({
  page,
  desk,
}) => {
  await open(page, desk.url);
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
  await attach(page, [{ name: '手册.txt', mimeType: 'text/plain', buffer }]);
  await question(page).fill('仓库在哪里？');
  await question(page).press('Enter');
  await expect(page.getByText(/已上传 [1-9].* \/ 2\.6 MB/)).toBeVisible();
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^[1-9]/);
  await checkScreen(page, 'an upload');
  await page.getByRole('button', { name: '取消' }).click();
  await expect(page.getByRole('article')).toHaveCount(0);
  await expect(question(page)).toHaveValue('仓库在哪里？');
  await expect(chips(page)).toHaveCount(1);
  await throttle(-1);
  await page.reload();
  await expect(page.getByText('还没有会话', { exact: true })).toBeVisible();
  await expect(question(page)).toHaveValue('仓库在哪里？');
});

test('a model is chosen and named, and what it thinks stands behind a fold', async ({
  page,
  startAnother,
}) => {
  const model = await listenAsModel(0, behave);
  const desk = await startAnother({
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'stand-in' },
  });
  await page.goto(`${desk.url}/chatbot/index`);
  const choice = page.getByRole('combobox', { name: '回答方式' });
  await expect(choice).toHaveValue('stand-in');
  await question(page).fill('怎样删除会话？!reason');
  await question(page).press('Enter');
  expect(await finishedAnswer(page)).toContain('由 stand-in 回答');
  await page.getByText('思考过程').click();
  await checkScreen(page, 'thoughts');

  await choice.selectOption({ label: '只用知识库' });
  await page.reload();
  await expect(choice).toHaveValue('none');
  await question(page).fill('怎样删除会话？');
  await question(page).press('Enter');
  await expect(page.getByRole('article')).toHaveCount(4);
  expect(await finishedAnswer(page)).not.toContain('由 stand-in 回答');
  await model.end();
});
