import type { Locator, Page } from 'playwright/test';
import { addDocument, whenIndexed } from '../../api/src/testing/knowledge-calls.ts';
import { createRandom } from '../../api/src/testing/random.ts';
import {
  endlessPdf,
  faxPdf,
  makePdf,
  oldChinesePdf,
  scannedPdf,
} from '../../api/src/testing/sample-files.ts';
import type { Desk } from '../start-desk.ts';
import { checkInBothThemes, checkScreen } from './check-screen.ts';
import { EDITOR, expect, test } from './desk-test.ts';
import { ask, openAs, signedIn } from './visit.ts';
import { watchViolations } from './watch-violations.ts';

const others = (index: number) => `The text of chapter ${index + 1} is about other things. `.repeat(12);
const CABLES = await makePdf(
  Array.from({ length: 45 }, (_, index) =>
    index === 39
      ? `# Submarine cables\n${'Other vessels are listed in the appendix. '.repeat(8)}\n\nThe repair vessel for submarine cables is called Aurelia.`
      : `# Chapter ${index + 1}\n${others(index)}`,
  ),
);
const QUESTION = 'What is the repair vessel for submarine cables called?';

test.beforeEach(({ page }) => watchViolations(page));

/** Ids of added documents by desk and name: reading the longest one takes seconds. */
const added = new Map<string, Promise<string>>();

function given(desk: Desk, name: string, content: Uint8Array): Promise<string> {
  const key = `${desk.url} ${name}`;
  const id = added.get(key) ?? add(desk, name, content);
  added.set(key, id);
  return id;
}

async function add(desk: Desk, name: string, content: Uint8Array): Promise<string> {
  const editor = await signedIn(desk.url, EDITOR);
  const { body } = await addDocument(editor, name, content as Uint8Array<ArrayBuffer>);
  expect(await whenIndexed(editor, body.document.id)).toMatchObject({ status: 'ready' });
  return body.document.id;
}

async function openCitation(page: Page): Promise<void> {
  const newest = page.getByRole('article', { name: '咨询台的回答' }).last();
  await newest
    .getByRole('button', { name: /^引用 1/ })
    .first()
    .click();
}

/** The open document, as pages. */
const pages = (page: Page) => page.getByRole('region', { name: '原页', exact: true });
const pageField = (page: Page) => page.getByRole('textbox', { name: /^页码/ });

async function drawn(page: Page, number: number): Promise<Locator> {
  const shown = pages(page).getByRole('img', { name: `第 ${number} 页`, exact: true });
  await expect(shown).toHaveAttribute('aria-busy', 'false');
  return shown.locator('canvas');
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Share of dark pixels of a page in `box`, by default in all of it. */
function inkOf(canvas: Locator, box?: Box): Promise<number> {
  return canvas.evaluate((element, box) => {
    const { width, height } = element as HTMLCanvasElement;
    const shown = element.getBoundingClientRect();
    const scale = width / shown.width;
    const context = (element as HTMLCanvasElement).getContext('2d')!;
    const { data } = box
      ? context.getImageData(
          (box.x - shown.x) * scale,
          (box.y - shown.y) * scale,
          box.width * scale,
          box.height * scale,
        )
      : context.getImageData(0, 0, width, height);
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at]! < 160 && data[at + 3]! > 0) dark += 1;
    return dark / (data.length / 4);
  }, box);
}

test('a citation of page 40 opens that page with the quote highlighted; zoom, page number and text', async ({
  page,
  desk,
}) => {
  await given(desk, 'cables.pdf', CABLES);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const hasPdfJs = () => requests.some((url) => /\/mfe-chat\/.*\/pdf\.[^/]*\.js$/.test(url));
  await page.goto(`${desk.url}/chatbot/index`);
  expect(await ask(page, QUESTION)).toContain('Aurelia');
  expect(hasPdfJs()).toBe(false);
  await openCitation(page);

  await expect(pageField(page)).toHaveValue('40');
  const canvas = await drawn(page, 40);
  expect(hasPdfJs()).toBe(true);
  const highlight = pages(page).locator('[data-page="40"] [data-highlight]').last();
  await expect(highlight).toBeInViewport();
  const box = (await highlight.boundingBox())!;
  expect(box.height).toBeLessThan(30);
  expect(await inkOf(canvas, box)).toBeGreaterThan(0.03);
  // Just below the quote, which is the last line of the page, there is nothing.
  expect(await inkOf(canvas, { ...box, y: box.y + 1.5 * box.height })).toBe(0);

  await page.getByRole('button', { name: '放大' }).click();
  await expect(page.getByText('125%')).toBeVisible();
  await drawn(page, 40);
  const larger = (await highlight.boundingBox())!;
  expect(larger.width / box.width).toBeCloseTo(1.25, 1);
  await page.getByRole('button', { name: '缩小' }).click();

  await pageField(page).fill('3');
  await pageField(page).press('Enter');
  await drawn(page, 3);
  await pages(page).press('ArrowRight');
  await expect(pageField(page)).toHaveValue('4');
  // Pages far away are not in memory.
  await expect.poll(() => pages(page).locator('canvas').count()).toBeLessThan(6);

  await page.getByRole('radio', { name: '文字' }).click();
  const text = page.getByRole('region', { name: '原文' });
  await expect(text.locator('mark').last()).toHaveText(/Aurelia/);
  await page.getByRole('radio', { name: '原页' }).click();
  await drawn(page, 40);
});

test('passes axe', async ({ page, desk }) => {
  await given(desk, 'cables.pdf', CABLES);
  await page.goto(`${desk.url}/chatbot/index`);
  await ask(page, QUESTION);
  await openCitation(page);
  await drawn(page, 40);
  await checkScreen(page, 'PDF');
});

test('passes axe on a phone and in the dark theme', { tag: '@long' }, async ({ page, desk }) => {
  await given(desk, 'cables.pdf', CABLES);
  await page.goto(`${desk.url}/chatbot/index`);
  await ask(page, QUESTION);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.reload();
    await openCitation(page);
    await drawn(page, 40);
    await checkInBothThemes(page, `PDF at ${width} px`);
  }
});

test('a scan is shown with the recognised text of the quoted page', async ({ page, desk }) => {
  await given(desk, 'scan.pdf', await scannedPdf(['The lighthouse keeper is called\nBartholomew Quimby.']));
  await page.goto(`${desk.url}/chatbot/index`);
  expect(await ask(page, 'What is the lighthouse keeper called?')).toContain('Quimby');
  await openCitation(page);

  expect(await inkOf(await drawn(page, 1))).toBeGreaterThan(0.002);
  const recognised = page.getByRole('region', { name: '识别出的文字' });
  await expect(recognised.locator('mark').last()).toContainText('Quimby');
  await expect(pages(page).locator('[data-highlight]')).toHaveCount(0);
});

test('a file that cannot be read is shown as text', async ({ page, desk }) => {
  await given(desk, 'cables.pdf', CABLES);
  await page.goto(`${desk.url}/chatbot/index`);
  await ask(page, QUESTION);
  await page.route(/\/api\/documents\/[^/]+\/file$/, (route) =>
    route.fulfill({ status: 200, contentType: 'application/pdf', body: '%PDF-1.7 damaged' }),
  );
  await openCitation(page);

  await expect(page.getByText('这份 PDF 的页面显示不了，下面是它的文字。')).toBeVisible();
  await expect(page.getByRole('region', { name: '原文' }).locator('mark').last()).toHaveText(/Aurelia/);
  // Opened again, it is read again.
  await page.unrouteAll();
  await page.keyboard.press('Escape');
  await openCitation(page);
  await drawn(page, 40);
});

test('of a large file only the needed parts are loaded, and few of its pages are in memory', {
  tag: '@long',
}, async ({ page, desk }) => {
  const random = createRandom(7);
  const noise = Buffer.from(Array.from({ length: 2_000_000 }, () => random.int(256)));
  const content = await makePdf(
    Array.from({ length: 500 }, (_, index) =>
      index === 399
        ? '# Ferries\nThe ferry across the strait of Numa sails at noon.'
        : `# Chapter ${index + 1}\n${others(index)}`,
    ),
    // Not needed to show any page.
    { attachment: noise },
  );
  const id = await given(desk, 'strait.pdf', content);
  let loaded = 0;
  page.on('response', async (response) => {
    if (!response.url().endsWith(`/api/documents/${id}/file`)) return;
    expect(response.status()).toBe(206);
    loaded += Number(response.headers()['content-length']);
  });
  await page.goto(`${desk.url}/chatbot/index`);
  await ask(page, 'When does the ferry across the strait of Numa sail?');
  await openCitation(page);

  await expect(pageField(page)).toHaveValue('400');
  await drawn(page, 400);
  await expect(pages(page).locator('[data-page="400"] [data-highlight]').first()).toBeInViewport();
  expect(loaded).toBeLessThan(content.length - noise.length / 2);
  for (const number of ['100', '250', '480']) {
    await pageField(page).fill(number);
    await pageField(page).press('Enter');
    await drawn(page, Number(number));
  }
  expect(await pages(page).locator('canvas').count()).toBeLessThan(6);
});

test('an editor sees Chinese without embedded fonts, and images in the format of fax machines', {
  tag: '@long',
}, async ({ page, desk }) => {
  await openAs(page, desk.url, EDITOR);
  const chinese = oldChinesePdf('GBK-EUC-H', Buffer.from('b1b1bea9b5c4b7a2bbf5b5e3', 'hex'));
  for (const [name, content, least] of [
    ['旧文件.pdf', chinese, 0.0003],
    ['传真.pdf', faxPdf(), 0.2],
  ] as const) {
    const id = await given(desk, name, content);
    await page.goto(`${desk.url}/chatbot/knowledge?d=${id}`);
    await page.getByRole('button', { name: '查看全文' }).click();
    expect(await inkOf(await drawn(page, 1)), name).toBeGreaterThan(least);
  }
});

test('the citations of an answer are opened one after the other', { tag: '@long' }, async ({
  page,
  desk,
}) => {
  await given(
    desk,
    'harbours.pdf',
    await makePdf(
      Array.from({ length: 9 }, (_, index) => {
        if (index === 2) return '# Harbour of Ostra\nThe harbour master of Ostra is Lindqvist.';
        if (index === 7) return '# Harbour of Vestra\nThe harbour master of Vestra is Okonkwo.';
        return `# Chapter ${index + 1}\n${others(index)}`;
      }),
    ),
  );
  await page.goto(`${desk.url}/chatbot/index`);
  await ask(page, 'Who is the harbour master of Ostra, and who is the harbour master of Vestra?');
  await openCitation(page);
  await expect(pageField(page)).toHaveValue(/[38]/);
  const first = await pageField(page).inputValue();
  await page.getByRole('button', { name: '下一处引用' }).click();
  await expect(pageField(page)).toHaveValue(first === '3' ? '8' : '3');
  await expect(pages(page).locator('[data-highlight]').first()).toBeInViewport();
  await page.getByRole('button', { name: '上一处引用' }).click();
  await expect(pageField(page)).toHaveValue(first);
});

test.describe(() => {
  test.use({ expectedErrors: /TrustedTypePolicy named|requires 'Trusted/ });

  test('the page allows the worker of PDFs and no other code', async ({ page, desk }) => {
    await page.goto(`${desk.url}/chatbot/index`);
    const refused = await page.evaluate(() => {
      const { trustedTypes } = window as unknown as {
        trustedTypes: { createPolicy(name: string, rules: object): unknown };
      };
      const blob = URL.createObjectURL(new Blob(['1']));
      const attempts: Record<string, () => unknown> = {
        'another policy': () => trustedTypes.createPolicy('other', {}),
        'the policy of the worker': () => trustedTypes.createPolicy('pdf-worker', {}),
        'a default policy': () => trustedTypes.createPolicy('default', {}),
        'a worker by address': () => new Worker('/chatbot/worker.js'),
        'a worker by blob': () => new Worker(blob),
        evaluation: () => window.setTimeout('1'),
        markup: () => Object.assign(document.createElement('div'), { innerHTML: '<b></b>' }),
      };
      return Object.entries(attempts)
        .filter(([, attempt]) => {
          try {
            attempt();
            return false;
          } catch {
            return true;
          }
        })
        .map(([name]) => name);
    });
    expect(refused).toHaveLength(7);
  });
});

test.describe(() => {
  test.use({ expectedErrors: /\/mfe-records\/.*\/pdf-pages/ });

  // A remote with a previous release would be replaced by it; mfe-records has none.
  test('a PDF is shown as text while its viewer cannot be loaded', async ({ page, desk }) => {
    const id = await given(desk, 'cables.pdf', CABLES);
    await openAs(page, desk.url, EDITOR);
    await page.route(/\/mfe-records\/.*\/pdf-pages[^/]*\.js$/, (route) =>
      route.fulfill({ status: 404, body: '' }),
    );
    await page.goto(`${desk.url}/chatbot/knowledge?d=${id}`);
    await page.getByRole('button', { name: '查看全文' }).click();

    await expect(page.getByText('这份 PDF 的页面显示不了，下面是它的文字。')).toBeVisible();
    await expect(page.getByRole('region', { name: '原文' })).toContainText('The text of chapter 1');
  });
});

test('a page that is never drawn to its end is given up, and its text is shown', async ({ page, desk }) => {
  const fact = 'The quagga enclosure opens at half past nine on Sundays.';
  await given(desk, 'quagga.pdf', endlessPdf(fact));
  await page.goto(`${desk.url}/chatbot/index`);
  await ask(page, 'When does the quagga enclosure open on Sundays?');
  await openCitation(page);

  await expect(page.getByRole('status').filter({ hasText: '页面显示不了' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('region', { name: '原文' }).getByText(fact)).toBeVisible();
});

test('a long title leaves the buttons beside it within the panel', async ({ page, desk }) => {
  const title = `Handbook of ${'the municipal waterworks, pumping stations and '.repeat(3)}reservoirs`;
  const text = 'The zebra valve is inspected every nineteen weeks.';
  await given(desk, 'valves.pdf', await makePdf([text], { title }));
  await page.goto(`${desk.url}/chatbot/index`);
  for (const width of [1024, 1300, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    if (width === 1024) {
      await ask(page, 'How often is the zebra valve inspected?');
      await openCitation(page);
    }
    const panel = page.getByRole('complementary', { name: title });
    for (const name of ['关闭原文', '下载文件', '放大']) {
      const box = (await panel.getByRole('button', { name }).boundingBox())!;
      const around = (await panel.boundingBox())!;
      expect(box.x + box.width).toBeLessThanOrEqual(around.x + around.width);
    }
  }
});
