import { expect, type Page } from 'playwright/test';

/** Minimum width and height of a target in CSS pixels, see WCAG 2.2, 2.5.8. */
const MIN_TARGET = 24;

/** The spacing that a reader may set, see WCAG 2.2, 1.4.12. */
const SPACING = `*:not(svg *) {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-block-end: 2em !important; }`;

/** Fails if a control is too small to be hit, or if text is lost once readers set wider spacing. */
export async function checkLegibility(page: Page, state: string): Promise<void> {
  const small = await smallTargets(page);
  const before = new Set(await cutTexts(page));
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
  }, SPACING);
  const lost = (await cutTexts(page)).filter((text) => !before.has(text));
  await page.evaluate(() => void document.adoptedStyleSheets.pop());
  expect({ small, lost }, state).toEqual({ small: [], lost: [] });
}

/** Controls smaller than 24 × 24 pixels, except for links in sentences and those of the browser. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((min) => {
    const isShown = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !element.closest('[inert], .sr');
    const isInSentence = (element: Element) => {
      if (!getComputedStyle(element).display.startsWith('inline')) return false;
      const around = element.parentElement?.textContent ?? '';
      return around.trim().length > (element.textContent ?? '').trim().length;
    };
    const reach = min / 2 - 0.5;
    /** What a menu or dialog covers need not be hit. */
    const hits = (target: Element, dx: number, dy: number) => {
      const { left, top, width, height } = target.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2 + dx, top + height / 2 + dy);
      const layer = found?.closest('dialog, [role="menu"], [popover]');
      return target.contains(found) || (!!layer && !layer.contains(target));
    };
    /** The area of some links is larger than they are. */
    const isHit = (target: Element) =>
      hits(target, 0, -reach) && hits(target, 0, reach) && hits(target, -reach, 0) && hits(target, reach, 0);
    /** Nothing is hit outside the window. */
    const isHitInView = (target: Element) => {
      const around: [Element, number][] = [];
      for (let one = target.parentElement; one; one = one.parentElement) around.push([one, one.scrollTop]);
      target.scrollIntoView({ block: 'center', behavior: 'instant' });
      const isGood = isHit(target);
      for (const [one, top] of around) one.scrollTop = top;
      return isGood;
    };
    const found: string[] = [];
    for (const element of document.querySelectorAll(
      'a[href], button, input, select, summary, [role="button"], [role="radio"], [role="option"], [role="menuitem"]',
    )) {
      if (!isShown(element) || isInSentence(element)) continue;
      const target = (element instanceof HTMLInputElement && element.closest('label')) || element;
      const { width, height } = target.getBoundingClientRect();
      if (width === 0 || height === 0 || (width >= min - 0.5 && height >= min - 0.5)) continue;
      if (isHit(target) || isHitInView(target)) continue;
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40);
      found.push(`${element.tagName.toLowerCase()} “${name}” ${Math.round(width)} × ${Math.round(height)}`);
    }
    return found;
  }, MIN_TARGET);
}

/** Texts that an element around them cuts, or that reach out of their own control. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const parent = node.parentElement;
      if (
        !parent ||
        !node.textContent?.trim() ||
        parent.closest('[inert], .sr, script, style, [aria-hidden="true"]')
      )
        continue;
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const text = range.getBoundingClientRect();
      if (text.width === 0) continue;
      for (
        let around: Element | null = parent;
        around && around !== document.body;
        around = around.parentElement
      ) {
        const { overflowX, overflowY, position } = getComputedStyle(around);
        const box = around.getBoundingClientRect();
        const isControl = around.matches('button, a.button, label');
        const cutsX = /hidden|clip/.test(overflowX) || isControl;
        const cutsY = /hidden|clip/.test(overflowY) || isControl;
        const isCutX = cutsX && (text.left < box.left - 1 || text.right > box.right + 1);
        const isCutY = cutsY && (text.top < box.top - 2 || text.bottom > box.bottom + 2);
        // An ellipsis of a preview in a list is no loss, one of a name or a button is.
        const isPreview =
          isCutX &&
          getComputedStyle(around).textOverflow === 'ellipsis' &&
          !around.closest('nav, h1, h2, th');
        const isClamped = isCutY && getComputedStyle(around).webkitLineClamp !== 'none';
        // What is around a preview cuts it, too.
        if (isPreview || isClamped) break;
        if (isCutX || isCutY) {
          found.push(
            `“${node.textContent.trim().slice(0, 40)}” in ${around.tagName.toLowerCase()}.${around.getAttribute('class') ?? ''}`,
          );
          break;
        }
        if (/auto|scroll/.test(`${overflowX}${overflowY}`) || position === 'fixed') break;
      }
    }
    return found;
  });
}
