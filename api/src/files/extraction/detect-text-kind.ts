import { extname } from 'node:path';
import type { FileKind } from '../../contract/files.ts';
import { delimiterOf } from './delimiter-of.ts';
import { unsupported } from './file-failure.ts';
import { parseJson } from './parse-json.ts';

export interface TextKind {
  kind: FileKind;
  /** Media type. */
  type: string;
}

const html: TextKind = { kind: 'html', type: 'text/html' };
const markdown: TextKind = { kind: 'markdown', type: 'text/markdown' };
const csv: TextKind = { kind: 'csv', type: 'text/csv' };

/** Number of UTF-16 units examined. */
const sample = 64 * 1024;

/**
 * Detects the kind of a text. The name is used only if the content is ambiguous.
 * @throws FileFailure unsupported for an image in XML.
 */
export function detectTextKind(text: string, name: string): TextKind {
  const head = text
    .slice(0, sample)
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .trimStart();
  const ending = extname(name).toLowerCase();
  if (/^[[{]/.test(head) && parseJson(text) !== undefined) return { kind: 'json', type: 'application/json' };
  const root = rootOf(head);
  if (root === 'svg') throw unsupported();
  if (isHtml(head, root, ending)) return html;
  const isNamedTable = ending === '.csv' || ending === '.tsv';
  const isNamedMarkdown = ending === '.md' || ending === '.markdown';
  if (isMarkdown(head) && !isNamedTable) return markdown;
  if (!isNamedMarkdown && delimiterOf(wholeLines(head, text), isNamedTable) !== null) return csv;
  return isNamedMarkdown ? markdown : { kind: 'text', type: 'text/plain' };
}

/** Without the last line, which may be truncated. */
function wholeLines(head: string, text: string): string {
  return text.length > sample ? head.slice(0, head.lastIndexOf('\n') + 1) : head;
}

/** Lower-case name of the first element; '' if the text does not start with one. */
function rootOf(head: string): string {
  const before = /^(?:<\?[^>]*\?>|<!--[\s\S]*?-->|<!doctype\s[^>[]*(?:\[[^\]]*\]\s*)?>|\s+)*/i.exec(head)![0];
  return /^<([a-z][\w:-]*)[\s/>]/i.exec(head.slice(before.length))?.[1]?.toLowerCase() ?? '';
}

const pageElements =
  /^(?:html|head|body|title|meta|link|style|script|div|p|h[1-6]|table|ul|ol|section|article|main|header|nav|span|center|blockquote|a|b|br|img)$/;

function isHtml(head: string, root: string, ending: string): boolean {
  if (/^<!doctype\s+html\b/i.test(head) || root === 'html') return true;
  if (pageElements.test(root) && /<\/[a-z][a-z0-9]*\s*>|(?:<[a-z][^<>]*>\s*){3}/i.test(head))
    return ending !== '.md';
  return (ending === '.html' || ending === '.htm') && /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?>/i.test(head);
}

/** Two of these marks are required: a single `#` may be a comment. */
const marks = [
  /^#{1,6} \S.*$/gm,
  /^(?:```|~~~)/gm,
  /^\s*\|?\s*:?-{3,}:?\s*\|[\s|:-]*$/gm,
  /\[[^\][\n]+\]\((?:https?:|\/|\.|#)[^)\s]*\)/g,
  /\*\*[^*\n]+\*\*/g,
  /^(?:[-*+]|\d+\.) \S.*\n(?:[-*+]|\d+\.) \S/gm,
];

function isMarkdown(head: string): boolean {
  return marks.reduce((sum, mark) => sum + Math.min(head.match(mark)?.length ?? 0, 2), 0) >= 2;
}
