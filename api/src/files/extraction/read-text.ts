import type { FileToRead, ReadFile } from './read-file-text.ts';
import { markHeadings } from './text-headings.ts';

/** As it is. A Markdown file's title is its first heading where that comes first, or the one in its front matter. */
export function readText({ text }: FileToRead): ReadFile {
  const matter = /^---\n([\s\S]{0,4000}?)\n---\n/.exec(text.replace(/\r\n?/g, '\n'));
  const named = matter && /^title:\s*["']?(.*?)["']?\s*$/m.exec(matter[1]!)?.[1];
  const body = matter ? text.replace(/\r\n?/g, '\n').slice(matter[0].length) : text;
  return { text: body, title: named || (/^\s*# +(\S.*)/.exec(body)?.[1] ?? '') };
}

/** With its headings marked as Markdown's. The first one is its title where it stands at the top. */
export function readPlainText({ text }: FileToRead): ReadFile {
  const marked = markHeadings(text.replace(/\r\n?/g, '\n'));
  return { text: marked, title: /^\s*# +(\S.*)/.exec(marked)?.[1] ?? '' };
}
