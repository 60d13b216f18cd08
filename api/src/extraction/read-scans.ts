import type { getDocumentProxy } from 'unpdf';
import type { Line } from './pdf-lines.ts';
import type { FileToRead } from './read-file-text.ts';

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
export async function readScans(
  pdf: Pdf,
  pages: readonly Line[][],
  file: Pick<FileToRead, 'limits' | 'onProgress'>,
): Promise<string> {
  return '';
}
