import { unreadable, unsupported } from './file-failure.ts';
import { namesInZip } from './read-zip.ts';

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/**
 * Media type of a zip that is a Word document.
 *
 * @throws FileFailure unsupported for every other zip, unreadable for a document without its end.
 */
export async function wordType(bytes: Uint8Array): Promise<string> {
  const names = await namesInZip(bytes).catch(() => null);
  if (names?.has('word/document.xml')) return docx;
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  throw names === null && whole.includes('word/') ? unreadable('damaged') : unsupported();
}
