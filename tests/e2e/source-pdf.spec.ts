import type { Locator, Page } from 'playwright/test';
import { addDocument, whenIndexed } from '../../api/src/testing/knowledge-calls.ts';
import { makePdf, scannedPdf } from '../../api/src/testing/sample-files.ts';
import type { Desk } from '../start-desk.ts';
import { checkInBothThemes } from './check-screen.ts';
import { EDITOR, expect, test } from './desk-test.ts';
import { ask, signedIn } from './visit.ts';
import { watchViolations } from './watch-violations.ts';

const CABLES = await makePdf(
  Array.from({ length: 45 }, (_, index) =>
    index === 39
      ? `# Submarine cables\n${'Other vessels are listed in the appendix. '.repeat(8)}\nThe repair vessel for submarine cables is called Aurelia.`
      : `# Chapter ${index + 1}\n${`The text of chapter ${index + 1} is about other things. `.repeat(12)}`,
  ),
  { title: 'Cables' },
);
const QUESTION = 'What is the repair vessel for submarine cables called?';

async function given(desk: Desk, name: string, content: Uint8Array): Promise<string> {
  const editor = await signedIn(desk.url, EDITOR);
  const { body } = await addDocument(editor, name, content as Uint8Array<ArrayBuffer>);
  await whenIndexed(editor, body.document.id);
  return body.document.id;
}

async function openCitation(page: Page): Promise<Locator> {
  const newest = page.getByRole('article', { name: '咨询台的回答' }).last();
  await newest
    .getByRole('button', { name: /^引用 1/ })
    .first()
    .click();
  const pages = page.getByRole('region', { name: '原页' });
  await expect(pages).toHaveAttribute('aria-busy', 'false');
  return pages;
}

/** Share of the canvas of a page, in the area of `box`, that is not white. */
function inkWithin(canvas: Locator, box: { x: number; y: number; width: number; height: number }) {
  return canvas.evaluate((element, { x, y, width, height }) => {
    const drawn = element as HTMLCanvasElement;
    const shown = drawn.getBoundingClientRect();
    const scale = drawn.width / shown.width;
    const { data } = drawn
      .getContext('2d')!
      .getImageData((x - shown.x) * scale, (y - shown.y) * scale, width * scale, height * scale);
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at]! < 160 && data[at + 3]! > 0) dark += 1;
    return dark / (data.length / 4);
  }, box);
}

test('a citation of page 40 opens that page with the quote highlighted', async ({ page, desk }) => {
  await watchViolations(page);
  await given(desk, 'cables.pdf', CABLES);
  const ranges: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/file')) ranges.push(request.headers().range ?? '');
  });
  await page.goto(`${desk.url}/chatbot/index`);
  expect(await ask(page, QUESTION)).toContain('Aurelia');
  expect(ranges).toEqual([]);
  const pages = await openCitation(page);

  await expect(page.getByRole('textbox', { name: '页码，共 45 页' })).toHaveValue('40');
  const shown = pages.getByRole('img', { name: '第 40 页' });
  await expect(shown).toHaveAttribute('aria-busy', 'false');
  const highlight = pages.locator('[data-page="40"] [data-highlight]');
  await expect(highlight.first()).toBeInViewport();
  const box = (await highlight.first().boundingBox())!;
  expect(box.height).toBeLessThan(30);
  // The highlight is on letters, and beside it is none.
  expect(await inkWithin(shown.locator('canvas'), box)).toBeGreaterThan(0.03);
  expect(ranges[0]).toBe('bytes=0-524287');
  // Few of the 45 pages are in memory.
  expect(await pages.locator('canvas').count()).toBeLessThan(6);
});
