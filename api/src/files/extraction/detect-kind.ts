import { fileTypeFromBuffer } from 'file-type';
import type { FileKind } from '../../contract/files.ts';
import { decodeText } from './decode-text.ts';
import { detectTextKind, type TextKind } from './detect-text-kind.ts';
import { unreadable, unsupported } from './file-failure.ts';
import { namesInZip } from './read-zip.ts';

export interface DetectedKind extends TextKind {
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

/**
 * Detects the format of a file from its content.
 * @throws FileFailure unsupported for unknown formats, unreadable for an encrypted document.
 */
export async function detectKind(bytes: Uint8Array, name: string): Promise<DetectedKind> {
  if (isPdf(bytes)) return { kind: 'pdf', type: 'application/pdf', text: '' };
  if (beginsWith(bytes, 'PK\x03\x04') || beginsWith(bytes, 'PK\x05\x06')) {
    return { ...(await officeType(bytes)), text: '' };
  }
  if (beginsWith(bytes, '\xd0\xcf\x11\xe0')) throw oldOffice(bytes);
  // Before text, like images: neither is valid text by accident, whereas many signatures occur in text (BM of
  // a bitmap in "BM25 ranks …").
  const told = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const image = told && images.get(told.mime);
  if (image) return { kind: 'image', type: image, text: '' };
  const text = decodeText(bytes, told === undefined);
  if (text === null || /^\s*(?:\{\\rtf|%!PS)/.test(text)) throw unsupported();
  return { ...detectTextKind(text, name), text };
}

/**
 * Up to a kilobyte of other data may precede the header, see ISO 32000-1, Annex H, 3.4.1; a text about PDF
 * does not count.
 */
function isPdf(bytes: Uint8Array): boolean {
  if (beginsWith(bytes, '%PDF-')) return true;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 2048)).toString('latin1');
  return /^(?:[^\0]{0,1024}[\r\n])?[\s\xef\xbb\xbf]*%PDF-\d\.\d\s+(?:%[^\r\n]*\s+)?\d+ \d+ obj\b/.test(head);
}

/** Encrypted Office documents have this format as well; their part names are in UTF-16. */
function oldOffice(bytes: Uint8Array): Error {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isEncrypted = whole.includes(Buffer.from('EncryptedPackage', 'utf16le'));
  return isEncrypted ? unreadable('encrypted') : unsupported();
}

function beginsWith(bytes: Uint8Array, signature: string): boolean {
  return [...signature].every((character, index) => bytes[index] === character.charCodeAt(0));
}

const kinds = [
  { kind: 'docx', main: 'word/document.xml', format: 'wordprocessingml.document' },
  { kind: 'xlsx', main: 'xl/workbook.xml', format: 'spreadsheetml.sheet' },
  { kind: 'pptx', main: 'ppt/presentation.xml', format: 'presentationml.presentation' },
] as const satisfies { kind: FileKind; main: string; format: string }[];

/**
 * Kind and media type of a zip that is an Office document.
 * @throws FileFailure unsupported for any other zip, unreadable for a truncated document.
 */
async function officeType(bytes: Uint8Array): Promise<{ kind: FileKind; type: string }> {
  const names = await namesInZip(bytes).catch(() => null);
  const found = kinds.find(({ main }) => names?.has(main));
  if (found)
    return { kind: found.kind, type: `application/vnd.openxmlformats-officedocument.${found.format}` };
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isOffice = /(?:word|xl|ppt)\//.test(whole.toString('latin1', 0, 64 * 1024));
  throw names === null && isOffice ? unreadable('damaged') : unsupported();
}
