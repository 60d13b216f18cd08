import PostalMime, { type Address, type Email } from 'postal-mime';
import type { FoundNotice } from './collect-notices.ts';
import { decodeText } from './decode-text.ts';
import { type FileToRead, type ReadFile, tooLarge } from './file-to-read.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

/** A message or a saved page of many attachments within attachments is refused by the parser. */
const maxNesting = 50;
/** Maximum depth of forwarded messages that are read; deeper ones are attachments. */
const maxForwards = 5;

/**
 * Reads a message (RFC 5322 and MIME), a mailbox of such (mbox), and a saved page (MHTML): the headers, the text, the messages forwarded with
 * it, and the names of the attachments, which are not read.
 */
export async function readMail({ bytes, text: decoded, limits }: FileToRead): Promise<ReadFile> {
  const file = decoded ? Buffer.from(decoded) : bytes;
  const source = file.toString('latin1');
  const messages: Awaited<ReturnType<typeof messageOf>>[] = [];
  for (const one of messagesIn(source))
    messages.push(await messageOf(Buffer.from(one, 'latin1'), maxForwards));
  const text = messages.map((one) => one.text).join('\n\n');
  if (text.length > limits.maxText) throw tooLarge('text', limits.maxText);
  return { title: messages[0]?.title ?? '', text, notices: messages.flatMap(({ notices }) => notices) };
}

/** In a mailbox, each message has a line with its sender and date before it; in the text, `>` precedes such lines. */
function messagesIn(source: string): string[] {
  if (!/^\s*From \S/.test(source)) return [source];
  return source
    .trimStart()
    .split(/(?:^|\n\r?\n)From \S[^\n]{1,200}\d{4}[^\n]{0,20}\n(?=[!-9;-~]+:)/)
    .filter((one) => one.trim() !== '')
    .map((one) => one.replace(/^>(?=>*From )/gm, ''));
}

/** What a mail server or program reports of a message: whether it was delivered or read, and the header it had. */
const report = /^(?:message\/(?:delivery-status|disposition-notification)|text\/rfc822-headers)$/i;

async function messageOf(
  bytes: Buffer,
  depth: number,
): Promise<{ title: string; text: string; notices: FoundNotice[] }> {
  const mail = await parse(bytes);
  const page = mail.html ? htmlToMarkdown(mail.html) : null;
  // The parser makes both from all parts of a message, if it has either.
  const body = page?.text || mail.text?.trim() || '';
  const isForward = ({ mimeType }: Email['attachments'][number]) =>
    depth > 0 && mimeType === 'message/rfc822';
  // Pictures of an HTML message belong to its layout; programs attach other files in the same way.
  const isLayout = ({ related, mimeType }: Email['attachments'][number]) =>
    related === true && mimeType.startsWith('image/');
  const reports = mail.attachments.filter(({ mimeType }) => report.test(mimeType));
  const attached = mail.attachments.filter(
    (one) => !isLayout(one) && !isForward(one) && !reports.includes(one),
  );
  const forwards = await Promise.all(
    mail.attachments
      .filter(isForward)
      .map(({ content }) => messageOf(Buffer.from(content as ArrayBuffer), depth - 1)),
  );
  const headers = [
    ['From', listOf(mail.from ? [mail.from] : [])],
    ['To', listOf(mail.to)],
    ['Cc', listOf(mail.cc)],
    // As written: in another time zone it may be another day.
    ['Date', mail.headers.find(({ key }) => key === 'date')?.value ?? ''],
    ['Attachments', attached.map(({ filename, mimeType }) => filename ?? mimeType).join(', ')],
  ].flatMap(([name, value]) => (value ? [`- ${name}: ${value}`] : []));
  const title = mail.subject?.trim() || page?.title || '';
  const appended = [
    ...reports.map(({ content }) => new TextDecoder().decode(content as ArrayBuffer).trim()),
    ...forwards.map(({ text }) => text),
  ];
  return {
    title,
    text: [title && `# ${title}`, headers.join('\n'), body, ...appended].filter(Boolean).join('\n\n'),
    notices: [
      ...(attached.length > 0 ? [{ code: 'attachment_not_read', count: attached.length } as const] : []),
      ...(page?.notices ?? []),
      ...forwards.flatMap(({ notices }) => notices),
    ],
  };
}

/** Text parts whose header declares no encoding, or ASCII, which older programs write for any. */
const undeclared =
  /^content-type:[ \t]*text\/(?:plain|html)\b(?!(?:[^\r\n]|\r?\n[ \t])*charset[ \t]*=(?![ \t]*"?us-ascii))/gim;

/** The parser takes text without a declared encoding for UTF-8; here it is decoded like a file of its own. */
async function parse(bytes: Buffer): Promise<Email> {
  const options = { maxNestingDepth: maxNesting, forceRfc822Attachments: true };
  const whole = withReadableHeader(bytes);
  const mail = await PostalMime.parse(whole, options);
  const source = whole.toString('latin1');
  // Of the same names the first parameter counts.
  const declaring = source.replace(undeclared, '$&; charset=windows-1252');
  if (declaring === source) return mail;
  const { text, html } = await PostalMime.parse(Buffer.from(declaring, 'latin1'), options);
  return { ...mail, ...detected('text', text), ...detected('html', html) };
}

/** With a header in UTF-8, which programs also write in older encodings, and with the default type of content. */
function withReadableHeader(bytes: Buffer): Buffer {
  const source = bytes.toString('latin1');
  const end = source.search(/\r?\n\r?\n/);
  if (end < 0) return bytes;
  const head = source.slice(0, end);
  const type = /^content-type:/im.test(head) ? '' : '\r\nContent-Type: text/plain';
  const isPlain = !/[\x80-\xff]/.test(head);
  const text = isPlain ? head : (decodeText(bytes.subarray(0, end), true) ?? head);
  return Buffer.concat([Buffer.from(text + type), bytes.subarray(end)]);
}

const codes = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, at) => at))].map(
    (character, at) => [character, at],
  ),
);

/** The text whose bytes were decoded as windows-1252; nothing if other parts were decoded by their own declaration. */
function detected(name: 'text' | 'html', text: string | undefined): { text?: string; html?: string } {
  const bytes = [...(text ?? '')].map((character) => codes.get(character));
  const isPlain = bytes.every((code) => code !== undefined && code < 0x80);
  if (isPlain || !bytes.every((code) => code !== undefined)) return {};
  const decoded = decodeText(Buffer.from(bytes as number[]), true);
  return decoded === null ? {} : { [name]: decoded };
}

function listOf(addresses: readonly Address[] = []): string {
  return addresses
    .flatMap((one) => ('group' in one && one.group ? one.group : [one]))
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address || ''))
    .join(', ');
}
