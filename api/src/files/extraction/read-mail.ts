import PostalMime, { type Address } from 'postal-mime';
import { tooLarge } from './file-failure.ts';
import type { FileToRead, ReadFile } from './file-to-read.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

/** A message or a saved page of many attachments within attachments is refused by the parser. */
const maxNesting = 50;

/**
 * Reads a message (RFC 5322 and MIME) and a saved page (MHTML): its headers, its text, and the names of its
 * attachments, which are not read.
 */
export async function readMail({ bytes, limits }: FileToRead): Promise<ReadFile> {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: maxNesting });
  const page = mail.html ? htmlToMarkdown(mail.html) : null;
  // The parser makes both from all parts of a message, if it has either.
  const body = page?.text || mail.text?.trim() || '';
  if (body.length > limits.maxText) throw tooLarge('text', limits.maxText);
  // Pictures of an HTML message belong to its layout.
  const attached = mail.attachments.filter(({ related }) => !related);
  const headers = [
    ['From', listOf(mail.from ? [mail.from] : [])],
    ['To', listOf(mail.to)],
    ['Cc', listOf(mail.cc)],
    // As written: in another time zone it may be another day.
    ['Date', mail.headers.find(({ key }) => key === 'date')?.value ?? ''],
    ['Attachments', attached.map(({ filename, mimeType }) => filename ?? mimeType).join(', ')],
  ].flatMap(([name, value]) => (value ? [`- ${name}: ${value}`] : []));
  const title = mail.subject?.trim() || page?.title || '';
  return {
    title,
    text: [title && `# ${title}`, headers.join('\n'), body].filter(Boolean).join('\n\n'),
    notices: [
      ...(attached.length > 0 ? [{ code: 'attachment_not_read', count: attached.length } as const] : []),
      ...(page?.notices ?? []),
    ],
  };
}

function listOf(addresses: readonly Address[] = []): string {
  return addresses
    .flatMap((one) => ('group' in one && one.group ? one.group : [one]))
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address || ''))
    .join(', ');
}
