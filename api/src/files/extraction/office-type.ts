import type { FileKind } from '../../contract/files.ts';
import { unreadable, unsupported } from './file-failure.ts';
import { namesInZip } from './read-zip.ts';

const kinds = [
  { kind: 'docx', main: 'word/document.xml', format: 'wordprocessingml.document' },
  { kind: 'xlsx', main: 'xl/workbook.xml', format: 'spreadsheetml.sheet' },
  { kind: 'pptx', main: 'ppt/presentation.xml', format: 'presentationml.presentation' },
] as const satisfies { kind: FileKind; main: string; format: string }[];

/**
 * Kind and media type of a zip that is an Office document.
 * @throws FileFailure unsupported for any other zip, unreadable for a truncated document.
 */
export async function officeType(bytes: Uint8Array): Promise<{ kind: FileKind; type: string }> {
  const names = await namesInZip(bytes).catch(() => null);
  const found = kinds.find(({ main }) => names?.has(main));
  if (found)
    return { kind: found.kind, type: `application/vnd.openxmlformats-officedocument.${found.format}` };
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isOffice = /(?:word|xl|ppt)\//.test(whole.toString('latin1', 0, 64 * 1024));
  throw names === null && isOffice ? unreadable('damaged') : unsupported();
}
