import { givenPair } from '../../api/src/testing/knowledge-calls.ts';
import { answers, expect, question, sendQuestion, test } from './chat-page.ts';
import { checkScreen } from './check-screen.ts';
import { EDITOR } from './desk-test.ts';
import { finishedAnswer, openAs } from './visit.ts';

const ANSWER = '用这段代码：\n\n```js\n// 取出订单\nconst order = await load("A-1");\n```';

/** Of the Layout Instability API, which TypeScript does not describe. */
interface LayoutShift {
  sources: { previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

// Single keys, Macs and the switch: mfe-chat/src/shortcuts/shortcuts.test.tsx.
test('a hidden panel stays hidden without moving anything sideways, shortcuts reach search and a new question, code is highlighted', async ({
  page,
  desk,
}) => {
  const editor = await openAs(page, desk.url, EDITOR);
  await givenPair(editor, { question: '怎样用代码取出订单？', variants: [], answer: ANSWER });
  await page.goto(`${desk.url}/chatbot/index`);
  await page.getByRole('button', { name: '收起会话' }).press('Enter');
  await expect(page.getByRole('button', { name: '展开会话' })).toBeFocused();

  await page.addInitScript(() => {
    const watch = new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as (PerformanceEntry & LayoutShift)[])
        if (sources.some(({ previousRect, currentRect }) => previousRect.x !== currentRect.x))
          document.documentElement.dataset.moved = 'sideways';
    });
    watch.observe({ type: 'layout-shift', buffered: true });
  });
  await page.reload();
  await expect(page.getByRole('complementary', { name: '会话' })).toBeHidden();
  await expect(page.getByRole('button', { name: '快捷键' })).toBeVisible();
  await expect(page.locator('html')).not.toHaveAttribute('data-moved');

  await sendQuestion(page, '怎样用代码取出订单？');
  await finishedAnswer(page);
  await expect(
    answers(page)
      .locator('pre span')
      .filter({ hasText: /^const$/ }),
  ).toBeVisible();
  await checkScreen(page, 'an answer with code');
  await question(page).focus();
  await page.keyboard.press('Alt+Shift+KeyF');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.press('Alt+Shift+KeyN');
  await expect(question(page)).toBeFocused();
  await expect(page).toHaveURL(/\/index$/);
  await page.getByRole('main').focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: '快捷键' }).getByRole('row')).toHaveCount(7);
  await checkScreen(page, 'the list of shortcuts');
});
