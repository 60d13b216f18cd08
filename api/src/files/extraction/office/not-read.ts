import type { NoticeCode } from '../../../contract/sources.ts';
import { FileFailure } from '../file-to-read.ts';

/** Reads a part whose damage does not make the whole document unreadable; null if it is damaged. */
export async function ifReadable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FileFailure && error.failure.kind === 'unreadable') return null;
    throw error;
  }
}

/** Square centimetres from which a picture may contain text worth a notice: logos are smaller. */
const largePicture = 100;
/** English metric units per centimetre. */
const unit = 360_000;

/** @param attributes `cx` and `cy` in English metric units. */
export function isLargePicture({ cx = '0', cy = '0' }: Readonly<Record<string, string>>): boolean {
  return (Number(cx) / unit) * (Number(cy) / unit) >= largePicture;
}

/** What is said about an object of another program, which is shown as a picture. */
export function objectNotice(program = ''): NoticeCode {
  return /^(?:equation|mathtype)/i.test(program) ? 'formula_not_read' : 'attachment_not_read';
}
