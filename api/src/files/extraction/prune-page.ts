import { type DomElement, type DomNode, isElement, textNode, walk } from './dom-nodes.ts';
import { grouped } from './office/linear-formula.ts';
import { raised } from './raised.ts';

const unread = new Set([
  ...[
    'SCRIPT',
    'STYLE',
    'NOSCRIPT',
    'TEMPLATE',
    'NOFRAMES',
    'IFRAME',
    'OBJECT',
    'EMBED',
    'SVG',
    'CANVAS',
    'VIDEO',
    'AUDIO',
  ],
  ...[
    'RT',
    'RP',
    'ANNOTATION',
    'ANNOTATION-XML',
    'NAV',
    'BUTTON',
    'SELECT',
    'INPUT',
    'TEXTAREA',
    'DIALOG',
    'IMG',
    'PICTURE',
    'HEAD',
    'TITLE',
    'LINK',
    'META',
  ],
]);

/** Ordinary pages have a few dozen levels; deeper ones would overflow the stack of later steps. */
const maxDepth = 200;

/**
 * Removes what a reader would not see or read: scripts, styles, navigation, controls, images, hidden parts; of
 * ruby the readings, which would split the words. Formulas become text on one line. `drawings` counts those with text.
 */
export function prunePage(body: DomElement): { drawings: number } {
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
  return { drawings };
}

/** A formula in MathML on one line, as `linearFormula` writes those of Office. */
function mathText(node: DomNode): string {
  if (node.nodeType === textNode) return (node.nodeValue ?? '').replace(/\s+/g, ' ');
  const name = node.nodeName.toUpperCase();
  if (!isElement(node) || unread.has(name) || name === 'MPHANTOM') return '';
  const parts = [...Array.from(node.children)].map((child) => mathText(child).trim());
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

export function isHidden(element: DomElement): boolean {
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
