import { createRequire } from 'node:module';
import TurndownService from 'turndown';
import type { DomElement } from './dom-nodes.ts';
import { tableOf } from './page-table.ts';
import { prunePage } from './prune-page.ts';

// Uses the parser of turndown itself, so that both work on the same document.
const turndownRequire = createRequire(createRequire(import.meta.url).resolve('turndown'));
const { createDocument } = turndownRequire('@mixmark-io/domino') as {
  createDocument(html: string): DomElement;
};

/**
 * Converts headings, paragraphs, lists, tables and code of a page to simple Markdown; of links and emphasis
 * only the text is kept.
 */
export function htmlToMarkdown(html: string): { text: string; title: string } {
  const document = createDocument(html);
  const title = document.querySelector('title')?.textContent.trim() ?? '';
  const body = document.querySelector('body');
  if (!body) return { text: '', title };
  prunePage(body);
  const text = createService().turndown(body as unknown as TurndownService.Node);
  return { text, title };
}

function createService(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
  });
  // No escaping: the text is read, not rendered, and backslashes would appear in answers.
  service.escape = (text) => text;
  const words = (content: string) => content;
  service.addRule('words', { filter: ['a', 'em', 'i', 'strong', 'b', 'code'], replacement: words });
  service.addRule('line-break', { filter: 'br', replacement: () => '\n' });
  service.addRule('rule', { filter: 'hr', replacement: () => '\n\n' });
  service.addRule('code-block', {
    filter: 'pre',
    replacement: (_, node) => {
      const code = (node as unknown as DomElement).textContent.replace(/^\n|\s+$/g, '');
      const fence = '`'.repeat(Math.max(3, ...(code.match(/`{3,}/g) ?? []).map((run) => run.length + 1)));
      return code.trim() === '' ? '' : `\n\n${fence}\n${code}\n${fence}\n\n`;
    },
  });
  service.addRule('list-item', {
    filter: 'li',
    replacement: (content, node) => {
      const item = node as unknown as DomElement;
      const mark = item.parentNode?.nodeName === 'OL' ? `${placeOf(item)}. ` : '- ';
      const text = content
        .trim()
        .replace(/\n{2,}/g, '\n')
        .replace(/\n/g, '\n  ');
      return text === '' ? '' : `${mark}${text}\n`;
    },
  });
  service.addRule('table', {
    filter: 'table',
    replacement: (content, node) => `\n\n${tableOf(node as unknown as DomElement) ?? content}\n\n`,
  });
  return service;
}

const places = new WeakMap<object, number>();

/** Counted from the previous item: lists may have a hundred thousand. */
function placeOf(item: DomElement): number {
  let before = (item as unknown as { previousSibling: DomElement | null }).previousSibling;
  while (before && before.nodeName !== 'LI') {
    before = (before as unknown as { previousSibling: DomElement | null }).previousSibling;
  }
  const start = Number.parseInt((item.parentNode as DomElement).getAttribute('start') ?? '1', 10) || 1;
  const place = before ? (places.get(before) ?? start - 1) + 1 : start;
  places.set(item, place);
  return place;
}
