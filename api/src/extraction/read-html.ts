import { htmlToMarkdown } from './html-to-markdown.ts';
import type { FileToRead, ReadFile } from './read-file-text.ts';

export function readHtml({ text }: FileToRead): ReadFile {
  return htmlToMarkdown(text);
}
