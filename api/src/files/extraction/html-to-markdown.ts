import { createRequire } from 'node:module';
import TurndownService from 'turndown';
import type { FoundNotice } from './collect-notices.ts';
import { grouped } from './office/linear-formula.ts';
import { raised } from './raised.ts';
import { tableOf, withoutEmpty } from './table-rows.ts';

// Uses the parser of turndown itself, so that both work on the same document.
const turndownRequire = createRequire(createRequire(import.meta.url).resolve('turndown'));
const { createDocument } = turndownRequire('@mixmark-io/domino') as {
  createDocument(html: string): DomElement;
};

/**
 * Converts headings, paragraphs, lists, tables and code of a page to simple Markdown; of links and emphasis
 * only the text is kept. Pages within the page follow it; those at other addresses are reported.
 */
export function htmlToMarkdown(
  html: string,
  depth = 0,
): { text: string; title: string; notices: FoundNotice[] } {
  const document = createDocument(html);
  const title = document.querySelector('title')?.textContent.trim() ?? '';
  const frames = [...document.querySelectorAll('frame, iframe')];
  const within = [
    // In a page of frames: what browsers without them show.
    ...[...document.querySelectorAll('frameset noframes')].map((one) => one.textContent),
    ...frames.flatMap((frame) => frame.getAttribute('srcdoc') ?? []),
  ].filter((one) => one.trim() !== '');
  const pages = depth < maxPagesWithin ? within.map((one) => htmlToMarkdown(one, depth + 1)) : [];
  const elsewhere = frames.filter((one) => one.getAttribute('srcdoc') === null && isAddress(one)).length;
  const body = document.querySelector('body');
  const drawings = body ? prunePage(body) : 0;
  const own = body ? createService().turndown(body as unknown as TurndownService.Node) : '';
  return {
    text: [own, ...pages.map(({ text }) => text)].filter(Boolean).join('\n\n'),
    title,
    notices: [
      ...(elsewhere > 0 ? [{ code: 'frame_not_read', count: elsewhere } as const] : []),
      ...(drawings > 0 ? [{ code: 'drawing_not_read', count: drawings } as const] : []),
      ...pages.flatMap(({ notices }) => notices),
    ],
  };
}

const maxPagesWithin = 3;

function isAddress(frame: DomElement): boolean {
  return /^(?!about:|javascript:|\s*$)/i.test(frame.getAttribute('src') ?? '') && !isHidden(frame);
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
    replacement: (content, node) => `\n\n${readTable(node as unknown as DomElement) ?? content}\n\n`,
  });
  // Blocks that turndown takes for parts of a line.
  service.addRule('block', {
    filter: (node) => blocks.test(node.nodeName),
    replacement: (content) => `\n\n${content}\n\n`,
  });
  return service;
}

const blocks = /^(?:DETAILS|SUMMARY|LEGEND|CAPTION|SEARCH)$/;

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

/** Maximum number of columns a cell may span. */
const maxSpan = 50;
const maxCells = 400_000;

/** The rows of an HTML table as Markdown; null for a layout table or a single column. */
function readTable(table: DomElement): string | null {
  if (table.getAttribute('role') === 'presentation') return null;
  if (table.querySelector('table, h1, h2, h3, h4, pre, td p + p + p, td li + li + li + li + li')) return null;
  // Some columns only contain an image.
  const rows = withoutEmpty(rowsOf(table));
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (columns < 2 || columns * rows.length > maxCells) return null;
  // A single cell across the whole table is a heading or a frame, not a row.
  if (rows.every((row) => row.every((cell) => cell === row[0]))) return null;
  const caption = table.querySelector('caption')?.textContent.replace(/\s+/g, ' ').trim() ?? '';
  return [caption, tableOf(rows)].filter(Boolean).join('\n\n');
}

function rowsOf(table: DomElement): string[][] {
  const rows: string[][] = [];
  /** Cells that span rows, by column. */
  const reaching = new Map<number, { text: string; left: number }>();
  for (const row of elementsOf(table, /^(?:THEAD|TBODY|TFOOT)$/, 'TR')) {
    const cells: string[] = [];
    const fill = () => {
      for (let at = reaching.get(cells.length); at; at = reaching.get(cells.length)) {
        at.left -= 1;
        if (at.left === 0) reaching.delete(cells.length);
        cells.push(at.text);
      }
    };
    for (const cell of Array.from(row.children).filter(({ nodeName }) => /^T[DH]$/.test(nodeName))) {
      fill();
      const text = wordsIn(cell).replace(/\s+/g, ' ').trim();
      const down = spanOf(cell, 'rowspan');
      for (let across = spanOf(cell, 'colspan'); across > 0; across -= 1) {
        if (down > 1) reaching.set(cells.length, { text, left: down - 1 });
        cells.push(text);
      }
    }
    fill();
    if (cells.some((cell) => cell !== '')) rows.push(cells);
  }
  return rows;
}

/** Elements that end a line within a cell. */
const ownLine = /^(?:BR|P|DIV|LI|UL|OL|D[DLT]|H[56]|BLOCKQUOTE|SECTION|HR)$/;

function wordsIn(node: DomNode): string {
  let text = node.nodeType === textNode ? (node.nodeValue ?? '') : '';
  for (let child = node.firstChild; child; child = child.nextSibling) text += wordsIn(child);
  return ownLine.test(node.nodeName) ? ` ${text} ` : text;
}

function elementsOf(root: DomElement, through: RegExp, name: string): DomElement[] {
  return Array.from(root.children).flatMap((child) => {
    if (child.nodeName === name) return [child];
    return isElement(child) && through.test(child.nodeName) ? elementsOf(child, /^$/, name) : [];
  });
}

function spanOf(cell: DomElement, name: string): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  return span >= 1 ? Math.min(span, maxSpan) : 1;
}

const unread = new Set(
  [
    'SCRIPT STYLE NOSCRIPT TEMPLATE NOFRAMES IFRAME OBJECT EMBED SVG CANVAS VIDEO AUDIO IMG PICTURE',
    'RT RP ANNOTATION ANNOTATION-XML NAV BUTTON SELECT INPUT TEXTAREA DIALOG HEAD TITLE LINK META',
  ].flatMap((names) => names.split(' ')),
);

/** Ordinary pages have a few dozen levels; deeper ones would overflow the stack of later steps. */
const maxDepth = 200;

/**
 * Removes what a reader would not see or read: scripts, styles, navigation, controls, images, hidden parts, and the
 * readings of ruby text, which would split the words. Formulas become text on one line. Returns the number of drawings
 * with text.
 */
function prunePage(body: DomElement): number {
  let drawings = 0;
  let before: DomNode | null = null;
  walk(body, (node, depth) => {
    if (node.nodeType === textNode) {
      if (!isPreformatted(node)) {
        node.nodeValue = joinLines(node.nodeValue ?? '');
        if (isRaised(node.parentNode)) node.nodeValue = raised(node.nodeValue, before?.nodeValue ?? '');
        if (before) joinNodes(before, node);
        before = node;
      }
      return false;
    }
    const name = node.nodeName.toUpperCase();
    if (!isElement(node) || unread.has(name) || isHidden(node)) {
      if (name === 'SVG' && /<text\b/i.test((node as DomElement).outerHTML)) drawings += 1;
      node.parentNode!.removeChild(node);
      return false;
    }
    if (name === 'MATH') node.textContent = mathText(node);
    if (depth >= maxDepth && node.firstChild) node.textContent = textBelow(node);
    return depth < maxDepth;
  });
  return drawings;
}

/** A formula in MathML on one line, as `linearFormula` writes those of Office. */
function mathText(node: DomNode): string {
  if (node.nodeType === textNode) return (node.nodeValue ?? '').replace(/\s+/g, ' ');
  const name = node.nodeName.toUpperCase();
  if (!isElement(node) || unread.has(name) || name === 'MPHANTOM') return '';
  const parts = Array.from(node.children, (child) => mathText(child).trim());
  const [first = '', second = '', third = ''] = parts;
  switch (name) {
    case 'MFRAC':
      return `${grouped(first)}/${grouped(second)}`;
    case 'MSUP':
      return `${first}^${grouped(second)}`;
    case 'MSUB':
    case 'MUNDER':
      return `${first}_${grouped(second)}`;
    case 'MSUBSUP':
    case 'MUNDEROVER':
      return `${first}_${grouped(second)}^${grouped(third)}`;
    case 'MROOT':
      return `${second}√(${first})`;
    case 'MTABLE':
      return parts.join('; ');
    case 'MTR':
      return parts.join(', ');
  }
  let text = '';
  for (let child = node.firstChild; child; child = child.nextSibling) text += mathText(child);
  return name === 'MSQRT' ? `√(${text.trim()})` : text;
}

function isHidden(element: DomElement): boolean {
  if (element.getAttribute('hidden') !== null || element.getAttribute('aria-hidden') === 'true') return true;
  return /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(element.getAttribute('style') ?? '');
}

/** Whether text is raised after other text of its line. */
function isRaised(parent: DomNode | null): boolean {
  return parent?.nodeName === 'SUP' && parent.parentNode?.firstChild !== parent;
}

function isPreformatted(node: DomNode): boolean {
  const parent = node.parentNode?.nodeName;
  return parent === 'PRE' || (parent === 'CODE' && node.parentNode?.parentNode?.nodeName === 'PRE');
}

const wide = '\\u3000-\\u303f\\u3400-\\u9fff\\uf900-\\ufaff\\uff00-\\uffef';
const brokenLine = new RegExp(`(?<=[${wide}])[ \\t]*\\r?\\n\\s*(?=[${wide}])`, 'g');

const isWide = new RegExp(`[${wide}]`);

/** A line break within Chinese text has no meaning. */
function joinLines(text: string): string {
  return text.replace(brokenLine, '');
}

/** The same if a link or emphasis starts or ends at the line break. */
function joinNodes(before: DomNode, node: DomNode): void {
  const [head, tail] = [before.nodeValue ?? '', node.nodeValue ?? ''];
  const end = head.trimEnd();
  const start = tail.trimStart();
  const gap = head.slice(end.length) + tail.slice(0, tail.length - start.length);
  if (!gap.includes('\n') || !isWide.test(end.slice(-1)) || !isWide.test(start.slice(0, 1))) return;
  before.nodeValue = end;
  node.nodeValue = start;
}

function textBelow(root: DomNode): string {
  const parts: string[] = [];
  walk(root, (node) => {
    if (node.nodeType === textNode && node.nodeValue) parts.push(node.nodeValue);
    return !unread.has(node.nodeName.toUpperCase());
  });
  return parts.join(' ');
}

/** The part of a DOM node that is used here; the API has no DOM types. */
interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly parentNode: DomNode | null;
  nodeValue: string | null;
  textContent: string;
  removeChild(child: DomNode): void;
}

interface DomElement extends DomNode {
  readonly children: ArrayLike<DomElement>;
  readonly outerHTML: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
}

const elementNode = 1;
const textNode = 3;

function isElement(node: DomNode): node is DomElement {
  return node.nodeType === elementNode;
}

/** In document order, without recursion. `visit` may remove the node; returns whether to descend. */
function walk(root: DomNode, visit: (node: DomNode, depth: number) => boolean): void {
  let node: DomNode | null = root.firstChild;
  let depth = 1;
  while (node) {
    const current: DomNode = node;
    const next = current.nextSibling;
    const parent = current.parentNode!;
    const descends = visit(current, depth);
    if (descends && current.firstChild) {
      node = current.firstChild;
      depth += 1;
      continue;
    }
    node = next;
    let above: DomNode = parent;
    while (!node && above !== root) {
      node = above.nextSibling;
      above = above.parentNode!;
      depth -= 1;
    }
  }
}
