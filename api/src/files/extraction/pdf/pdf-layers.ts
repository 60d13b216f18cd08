import { getResolvedPDFJS } from 'unpdf';
import type { Page, Pdf } from './pdf-messages.ts';

/** Maximum number of drawn characters that are no text. */
const maxSkipped = 200;

/**
 * Tells for the text items of a page, in their order, whether a viewer hides them because their layer (optional
 * content group) is switched off. PDF.js names layers only in the list of drawing operators, which has the same
 * characters in the same order.
 */
export async function hiddenItems(pdf: Pdf, page: Page): Promise<(text: string) => boolean> {
  const layers = await pdf.getOptionalContentConfig({ intent: 'display' });
  const hasHidden = [...layers].some(([, group]) => !(group as { visible: boolean }).visible);
  if (!hasHidden) return () => false;
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  let drawn = '';
  const isOffAt: boolean[] = [];
  const open: boolean[] = [];
  let hidden = 0;
  for (const [at, operator] of fnArray.entries()) {
    const args = argsArray[at] as unknown[];
    if (operator === OPS.beginMarkedContent || operator === OPS.beginMarkedContentProps) {
      const [tag, group] = args as [string, never];
      const isOff = operator === OPS.beginMarkedContentProps && tag === 'OC' && !layers.isVisible(group);
      open.push(isOff);
      if (isOff) hidden += 1;
    } else if (operator === OPS.endMarkedContent) {
      if (open.pop()) hidden -= 1;
    } else if (operator === OPS.showText) {
      for (const glyph of args[0] as (number | { unicode: string })[]) {
        if (typeof glyph === 'number') continue;
        const text = compact(glyph.unicode);
        drawn += text;
        for (let unit = 0; unit < text.length; unit += 1) isOffAt.push(hidden > 0);
      }
    }
  }
  let next = 0;
  return (text) => {
    const characters = compact(text);
    const found = drawn.indexOf(characters, next);
    // Words of another order, such as Arabic ones, are looked up by their position.
    const at = found >= 0 && found < next + maxSkipped ? found : next;
    next = at + characters.length;
    return isOffAt[at] ?? false;
  };
}

function compact(text: string): string {
  return text.normalize('NFKC').replace(/\s/g, '');
}
