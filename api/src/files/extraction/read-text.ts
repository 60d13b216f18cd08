import type { FileToRead, ReadFile } from './file-to-read.ts';
import { markHeadings } from './text-headings.ts';

/** The text as it is, and the title of its front matter, or of a heading at its beginning. */
export function readText({ text }: FileToRead): ReadFile {
  const matter = /^---\n([\s\S]{0,4000}?)\n---\n/.exec(text.replace(/\r\n?/g, '\n'));
  const named = matter && /^title:\s*["']?(.*?)["']?\s*$/m.exec(matter[1]!)?.[1];
  const body = matter ? text.replace(/\r\n?/g, '\n').slice(matter[0].length) : text;
  const fields = fieldsOf(matter?.[1] ?? '');
  return {
    text: fields === '' ? body : `${fields}\n\n${body}`,
    title: named || (/^\s*# +(\S.*)/.exec(body)?.[1] ?? ''),
  };
}

/** The fields of front matter besides the title, as a list: who is responsible, since when, and the like. */
function fieldsOf(matter: string): string {
  return matter
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^(?:title\s*:|\s*#)/.test(line))
    .map((line) => (/^\s/.test(line) || line.startsWith('-') ? `  ${line.trim()}` : `- ${line.trimEnd()}`))
    .join('\n');
}

/** Marks headings as in Markdown. The first one is the title if it is at the top. */
export function readPlainText({ text }: FileToRead): ReadFile {
  const marked = markHeadings(text.replace(/\r\n?/g, '\n'));
  return { text: marked, title: /^\s*# +(\S.*)/.exec(marked)?.[1] ?? '' };
}
