import type { Page } from 'playwright/test';

/**
 * Replaces every text by two nested elements, also texts that are added later, as the translation of browsers does. The text itself stays, so that
 * tests find it. Call it before the first visit.
 */
export async function translatePage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const translate = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        if (
          !text.data.trim() ||
          text.parentElement?.closest('font, script, style, textarea, svg, [translate=no]')
        )
          continue;
        const outer = document.createElement('font');
        const inner = outer.appendChild(document.createElement('font'));
        inner.append(text.data);
        text.replaceWith(outer);
      }
    };
    document.addEventListener('DOMContentLoaded', () => {
      translate(document.body);
      new MutationObserver((records) => {
        for (const node of records.flatMap(({ addedNodes }) => [...addedNodes]))
          if (node.isConnected) translate(node instanceof Text ? node.parentElement! : node);
      }).observe(document.body, { childList: true, subtree: true });
    });
  });
}
