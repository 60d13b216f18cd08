import type { FileToRead, ReadFile } from './file-to-read.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { nestsTooDeep, wordsOf } from './nests-too-deep.ts';

export function readHtml({ text }: FileToRead): ReadFile {
  return nestsTooDeep(text) ? { text: wordsOf(text) } : htmlToMarkdown(text);
}
