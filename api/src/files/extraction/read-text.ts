import type { FileToRead, ReadFile } from './file-to-read.ts';
import { markHeadings } from './text-headings.ts';

/**
 * Returns the text unchanged. The title of a Markdown file is its front matter's, or its first heading if
 * that comes first.
 */
export function readText({ text }: FileToRead): ReadFile {
  const matter = /^---\n([\s\S]{0,4000}?)\n---\n/.exec(text.replace(/\r\n?/g, '\n'));
  const named = matter && /^title:\s*["']?(.*?)["']?\s*$/m.exec(matter[1]!)?.[1];
  const body = matter ? text.replace(/\r\n?/g, '\n').slice(matter[0].length) : text;
  return { text: body, title: named || (/^\s*# +(\S.*)/.exec(body)?.[1] ?? '') };
}

/** Marks headings as in Markdown. The first one is the title if it is at the top. */
export function readPlainText({ text }: FileToRead): ReadFile {
  const marked = markHeadings(text.replace(/\r\n?/g, '\n'));
  return { text: marked, title: /^\s*# +(\S.*)/.exec(marked)?.[1] ?? '' };
}
