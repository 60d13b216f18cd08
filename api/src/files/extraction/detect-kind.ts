import { extname } from 'node:path';
import { fileTypeFromBuffer } from 'file-type';
import type { FileKind } from '../../contract/files.ts';
import { decodeText } from './decode-text.ts';
import { delimiterOf } from './delimiter-of.ts';
import { unreadable, unsupported } from './file-to-read.ts';
import { openOffice } from './office/office-package.ts';
import { parseJson } from './parse-json.ts';

interface DetectedKind extends TextKind {
  /** Decoded text for text formats, otherwise ''. */
  text: string;
}

const images = new Map([
  ['image/png', 'image/png'],
  ['image/apng', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/webp', 'image/webp'],
  ['image/gif', 'image/gif'],
]);

/** By its content. @throws FileFailure unsupported, or unreadable for an encrypted document */
export async function detectKind(bytes: Buffer, name: string): Promise<DetectedKind> {
  if (isPdf(bytes)) return { kind: 'pdf', type: 'application/pdf', text: '' };
  if (beginsWith(bytes, 'PK\x03\x04') || beginsWith(bytes, 'PK\x05\x06')) {
    return { ...(await officeType(bytes)), text: '' };
  }
  if (beginsWith(bytes, '\xd0\xcf\x11\xe0')) throw oldOffice(bytes);
  if (isMail(bytes)) return { kind: 'mail', type: 'message/rfc822', text: '' };
  // Before text, like images: neither is valid text by accident, whereas many signatures occur in text (BM of
  // a bitmap in "BM25 ranks …").
  const detected = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const image = detected && images.get(detected.mime);
  if (image) return { kind: 'image', type: image, text: '' };
  const text = decodeText(bytes, detected === undefined);
  if (text === null || /^\s*(?:\{\\rtf|%!PS)/.test(text)) throw unsupported();
  // In UTF-16, in which some programs save messages.
  if (isMail(Buffer.from(text.slice(0, sample)))) return { kind: 'mail', type: 'message/rfc822', text };
  return { ...detectTextKind(text, name), text };
}

/** A kilobyte of other data may precede it (ISO 32000-1, Annex H, 3.4.1), except of text about PDF. */
function isPdf(bytes: Buffer): boolean {
  if (beginsWith(bytes, '%PDF-')) return true;
  const head = bytes.toString('latin1', 0, 2048);
  return /^(?:[^\0]{0,1024}[\r\n])?[\s\xef\xbb\xbf]*%PDF-\d\.\d\s+(?:%[^\r\n]*[\r\n]\s*)*\d+ \d+ obj\b/.test(
    head,
  );
}

/**
 * Whether it begins with the header of a message: only fields, among them some that mail programs write, not
 * people. In a mailbox (mbox), a line with the sender and the date precedes it.
 */
function isMail(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 64 * 1024);
  const [header = ''] = head.replace(/^(?:\xef\xbb\xbf)?\s*(?:From \S[^\n]*\n)?/, '').split(/\r?\n\r?\n/, 1);
  const lines = header.split(/\r?\n(?![ \t])/);
  const names = new Set(lines.map((line) => /^([!-9;-~]+):/.exec(line)?.[1]?.toLowerCase()));
  if (names.has(undefined)) return false;
  const isSent = ['from', 'sender', 'return-path', 'received'].some((name) => names.has(name));
  const isWritten = ['mime-version', 'message-id', 'received', 'content-type', 'content-transfer-encoding'];
  return (isSent || names.has('subject')) && isWritten.some((name) => names.has(name));
}

/** Encrypted Office documents have this format as well; their part names are in UTF-16. */
function oldOffice(bytes: Buffer): Error {
  const isEncrypted = bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'));
  return isEncrypted ? unreadable('encrypted') : unsupported();
}

function beginsWith(bytes: Buffer, signature: string): boolean {
  return [...signature].every((character, index) => bytes[index] === character.charCodeAt(0));
}

const formats = {
  docx: 'wordprocessingml.document',
  xlsx: 'spreadsheetml.sheet',
  pptx: 'presentationml.presentation',
};

/** Bytes of the small parts that tell what kind of Office document it is. */
const maxDirectory = 5_000_000;

/**
 * Kind and media type of a zip that is an Office document.
 * @throws FileFailure unsupported for any other zip, unreadable for a truncated or encrypted document.
 */
async function officeType(bytes: Buffer): Promise<{ kind: FileKind; type: string }> {
  const office = await openOffice(bytes, maxDirectory).catch(() => null);
  const found = await office?.main();
  if (found)
    return { kind: found.kind, type: `application/vnd.openxmlformats-officedocument.${formats[found.kind]}` };
  const isOffice = /(?:word|xl|ppt)\/|\[Content_Types\]\.xml/.test(bytes.toString('latin1', 0, 64 * 1024));
  throw office === null && isOffice ? unreadable('damaged') : unsupported();
}

interface TextKind {
  kind: FileKind;
  /** Media type. */
  type: string;
}

const html: TextKind = { kind: 'html', type: 'text/html' };
const markdown: TextKind = { kind: 'markdown', type: 'text/markdown' };
const csv: TextKind = { kind: 'csv', type: 'text/csv' };

/** Number of UTF-16 units examined. */
const sample = 64 * 1024;

/** By `name` only if the content is ambiguous. @throws FileFailure unsupported for an image in XML */
function detectTextKind(text: string, name: string): TextKind {
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
