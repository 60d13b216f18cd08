import { zipSync } from 'fflate';
import mammoth from 'mammoth';
import { unreadable } from './file-failure.ts';
import type { FileToRead, ReadFile } from './file-to-read.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { titleIn } from './office-relations.ts';
import { readXml } from './read-xml.ts';
import { unpackZip } from './read-zip.ts';

/** Document, styles and relationships; images and fonts are never unpacked. */
const wanted =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/core\.xml|word\/[^/]+\.xml|word\/_rels\/[^/]+\.rels)$/;

/**
 * Reads a Word document with mammoth: heading styles, lists and tables. Mammoth gets a newly written zip of
 * the checked parts, so that differences between zip parsers cannot be exploited.
 */
export async function readDocx({ bytes, limits }: FileToRead): Promise<ReadFile> {
  const parts = await unpackZip(bytes, wanted, limits.maxUnpacked);
  if (!parts.has('word/document.xml')) throw unreadable('damaged');
  // A parser's time and stack grow with the nesting, which this one limits.
  for (const part of parts.values()) readXml(part, {});
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 })) },
    {
      externalFileAccess: false,
      ignoreEmptyParagraphs: true,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    },
  );
  const { text } = htmlToMarkdown(`<!doctype html><body>${value}</body>`);
  // Back references of footnotes.
  return { text: text.replace(/ ?↑$/gm, ''), title: titleIn(parts) || (/^# +(\S.*)/.exec(text)?.[1] ?? '') };
}
