import type { Locator, Page } from 'playwright/test';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { EDITOR, expect, test } from './desk-test.ts';
import { askAs } from './records.ts';
import { applySession, openAs } from './visit.ts';

/** More than any dialog or drawer here has controls. */
const MAX_TABS = 30;

/** Presses Tab until `target` has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let count = 0; count < MAX_TABS; count += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  await expect(target, `reached by ${MAX_TABS} Tabs`).toBeFocused();
}

/** Whether the toasts cover a point of the focused element. */
function isFocusCovered(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { x, y, width, height } = document.activeElement!.getBoundingClientRect();
    return [0.1, 0.5, 0.9].some((share) =>
      document.elementFromPoint(x + width * share, y + height * share)?.closest('.toasts'),
    );
  });
}

for (const width of [390, 900])
  test(`dialogs and toasts above the open drawer are usable by keyboard at ${width} px`, async ({
    page,
    desk,
  }) => {
    const visitor = createVisitor(desk.url);
    await askAs(visitor, [{ text: '第一个问题' }, { text: '第二个问题' }]);
    await applySession(page, desk.url, visitor);
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${desk.url}/chatbot/index`);
    const opener = page.getByRole('button', { name: '展开会话' });
    const drawer = page.getByRole('complementary', { name: '会话' });
    await opener.press('Enter');
    await page.getByRole('button', { name: '更多：第一个问题' }).press('Enter');
    await page.getByRole('menuitem', { name: '分享…' }).press('Enter');
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: '创建链接' }));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+Shift+?');
    await tabTo(page, page.getByRole('dialog', { name: '快捷键' }).getByRole('checkbox'));
    await page.keyboard.press('Escape');
    await expect(drawer.getByRole('button', { name: '更多：第一个问题' })).toBeFocused();

    await page.getByRole('button', { name: '更多：第一个问题' }).press('Enter');
    await page.getByRole('menuitem', { name: '归档' }).press('Enter');
    const undo = page.getByRole('region', { name: '通知' }).getByRole('button', { name: '撤销' });
    await expect(undo).toBeVisible();
    await tabTo(page, undo);
    await page.keyboard.press('Enter');
    await expect(drawer.getByRole('link', { name: /第一个问题/ })).toBeVisible();
    await expect(page.locator('body')).not.toBeFocused();
    await page.keyboard.press('Escape');
    await expect(opener).toBeFocused();
  });

test('a toast never covers the focused control, and Alt + Shift + U leads to it', async ({ page, desk }) => {
  const visitor = createVisitor(desk.url);
  await askAs(visitor, [{ text: '第一个问题' }]);
  await applySession(page, desk.url, visitor);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${desk.url}/chatbot/index`);
    if (width === 390) await page.getByRole('button', { name: '展开会话' }).press('Enter');
    await page.getByRole('button', { name: '更多：第一个问题' }).press('Enter');
    await page.getByRole('menuitem', { name: '归档' }).press('Enter');
    const undo = page.getByRole('region', { name: '通知' }).getByRole('button', { name: '撤销' });
    await expect(undo).toBeVisible();
    if (width === 390) await page.keyboard.press('Escape');
    for (const control of await page.getByRole('banner').getByRole('button').all()) {
      await control.focus();
      expect(await isFocusCovered(page)).toBe(false);
    }
    await page.keyboard.press('Alt+Shift+KeyU');
    await expect(undo).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(undo).toBeHidden();
  }
});

/** They leave the page, change the language of all others, or make the browser open a window of its own. */
const LEAVES = /退出|登录|English|中文|打印|导出|PDF|选择文件|选择图片|上传|更换|新建|发送$/;

/** The next control of the top layer that was not pressed, which gets the focus. Returns its name; '' if there is none. */
function focusNext(page: Page, pressed: readonly string[], leaves: string): Promise<string> {
  return page.evaluate(
    ([done, skipped]) => {
      const top = [
        ...document.querySelectorAll('dialog[open], [role="menu"], [popover]:popover-open [role="dialog"]'),
      ].at(-1);
      const part = top ?? document.querySelector('main')!;
      for (const one of part.querySelectorAll<HTMLElement>('button, [role^="menuitem"], summary')) {
        const label = (one.getAttribute('aria-label') ?? one.textContent ?? '').trim();
        const name =
          `${top?.getAttribute('aria-label') ?? top?.querySelector('h2')?.textContent ?? ''} ${label}`.trim();
        const isUsable = one.checkVisibility() && !one.closest('[inert]') && !one.matches('a');
        if (!isUsable || new RegExp(skipped).test(name) || done.includes(name)) continue;
        one.focus();
        if (one === document.activeElement) return name;
      }
      return '';
    },
    [pressed, leaves] as const,
  );
}

const isFocusLost = (page: Page) => page.evaluate(() => document.activeElement === document.body);

for (const { screens, paths, tag } of [
  { screens: 'chat, records and knowledge', paths: ['index?c=', 'history', 'knowledge'], tag: [] },
  {
    screens: 'all other screens',
    paths: ['report', 'contacts#id=13800138000', 'inbox', 'account', 'settings', 'composition'],
    tag: '@long',
  },
])
  test(`no control leaves the focus nowhere: ${screens}`, { tag }, async ({ page, desk }) => {
    const editor = await openAs(page, desk.url, EDITOR);
    const [first] = await askAs(editor, [{ text: '怎样删除会话？', contact: '13800138000' }]);
    const lost: string[] = [];
    for (const path of paths) {
      await page.goto(`${desk.url}/chatbot/${path.replace('c=', `c=${first?.conversationId}`)}`);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      const pressed: string[] = [];
      // Every control is pressed once; a layer without another one is closed.
      for (let closed = 0; closed < 5; ) {
        const name = await focusNext(page, pressed, LEAVES.source);
        if (name) pressed.push(name);
        else closed += 1;
        await page.keyboard.press(name ? 'Enter' : 'Escape');
        // The second chance takes a frame, and some controls wait for the server.
        const isLost = () => isFocusLost(page);
        await expect
          .poll(isLost)
          .toBe(false)
          .catch(() => lost.push(`${path}: ${name || 'Escape'}`));
      }
      expect(pressed.length, path).toBeGreaterThan(2);
    }
    expect(lost).toEqual([]);
  });
