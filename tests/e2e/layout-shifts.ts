import type { Page } from 'playwright/test';

interface Shift {
  value: number;
  /** What moved, from where to where. */
  moved: string[];
}

/** Records what moves on pages opened from now on. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Source = { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly };
    const shifts: Shift[] = [];
    Object.assign(globalThis, { shifts });
    const describe = ({ node, previousRect: from, currentRect: to }: Source) =>
      `${node instanceof Element ? (node.cloneNode() as Element).outerHTML : node?.textContent}: ${[from, to].map(({ x, y, width, height }) => [x, y, width, height].join(' ')).join(' → ')}`;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as { value: number; sources: Source[] }[])
        shifts.push({ value: entry.value, moved: entry.sources.map(describe) });
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** What has moved visibly so far on the page. */
export async function shiftsOf(page: Page): Promise<Shift[]> {
  const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: Shift[] }).shifts);
  return shifts.filter(({ value }) => value >= 0.0005);
}
