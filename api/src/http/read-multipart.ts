import { invalidRequest } from '../errors/errors.ts';

/** One part of a multipart body. Its content must be read to its end before the next part comes. */
export interface Part {
  name: string;
  /** As the sender wrote it; null for a text field. */
  filename: string | null;
  content: AsyncGenerator<Buffer>;
}

/** Bytes of the headers of one part. */
const largestHead = 16 * 1024;
const lineEnd = '\r\n';

/**
 * The parts of a multipart/form-data body (RFC 7578), as they come: no more than a chunk is ever held. Time is linear in the body's
 * length, whatever it holds.
 *
 * @throws invalidRequest('body') for what is no multipart body or ends early.
 */
export async function* readMultipart(body: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Part> {
  const chunks = body[Symbol.asyncIterator]();
  const delimiter = Buffer.from(`${lineEnd}--${boundary}`);
  // The first delimiter has no line before it.
  let held: Buffer = Buffer.from(lineEnd);

  async function more(): Promise<void> {
    const { value, done } = await chunks.next();
    if (done) throw invalidRequest('body', 'invalid_http');
    held = held.length === 0 ? value : Buffer.concat([held, value]);
  }

  async function* upToDelimiter(): AsyncGenerator<Buffer> {
    for (;;) {
      const at = held.indexOf(delimiter);
      const end = at === -1 ? Math.max(0, held.length - delimiter.length + 1) : at;
      const piece = held.subarray(0, end);
      held = held.subarray(at === -1 ? end : end + delimiter.length);
      if (piece.length > 0) yield piece;
      if (at !== -1) return;
      await more();
    }
  }

  /** What stands between a delimiter and the content; null behind the last part. */
  async function readHead(): Promise<string | null> {
    while (held.length < 2) await more();
    if (held.subarray(0, 2).toString('latin1') === '--') return null;
    for (;;) {
      const at = held.indexOf(lineEnd + lineEnd);
      if (at > largestHead || (at === -1 && held.length > largestHead))
        throw invalidRequest('body', 'invalid_http');
      if (at === -1) {
        await more();
        continue;
      }
      const head = held.subarray(0, at).toString('utf8');
      held = held.subarray(at + 2 * lineEnd.length);
      // The rest of the delimiter's line may be blank, and is nothing else.
      if (!/^[ \t]*(\r\n|$)/.test(head)) throw invalidRequest('body', 'invalid_http');
      return head;
    }
  }

  try {
    for await (const _preamble of upToDelimiter());
    for (;;) {
      const head = await readHead();
      if (head === null) break;
      const content = upToDelimiter();
      yield { ...disposition(head), content };
      for await (const _unread of content);
    }
    // What comes behind the last delimiter says nothing, and is taken in all the same.
    while (!(await chunks.next()).done);
  } finally {
    await chunks.return?.();
  }
}

/** The boundary of a Content-Type; null when that is not multipart/form-data with one. */
export function boundaryOf(contentType: string): string | null {
  if (!/^multipart\/form-data[ \t]*(;|$)/i.test(contentType.trim())) return null;
  const boundary = parametersOf(contentType).get('boundary') ?? '';
  return /^[\x20-\x7e]{1,70}$/.test(boundary) ? boundary : null;
}

function disposition(head: string): Pick<Part, 'name' | 'filename'> {
  const headers = new Map<string, string>();
  for (const line of head.split(lineEnd)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const value = headers.get('content-disposition') ?? '';
  const parameters = parametersOf(value);
  const name = parameters.get('name');
  // Encodings of parts were taken out of the standard; content is what it is.
  const encoding = headers.get('content-transfer-encoding') ?? 'binary';
  if (!/^form-data/i.test(value) || name === undefined || !/^(binary|[78]bit)$/i.test(encoding))
    throw invalidRequest('body', 'invalid_http');
  return { name, filename: extendedName(parameters.get('filename*')) ?? parameters.get('filename') ?? null };
}

function parametersOf(header: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, bare = ''] of header.matchAll(
    /;[ \t]*([\w*-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g,
  )) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted === undefined ? bare.trim() : unquoted(quoted));
  }
  return parameters;
}

/** Some senders escape quotation marks by a backslash, browsers as %22; some send paths with backslashes as they are. */
function unquoted(text: string): string {
  return text
    .replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0D/gi, '\r')
    .replace(/%0A/gi, '\n');
}

/** `UTF-8''%e4%b8%ad.txt`, of senders older than RFC 7578. */
function extendedName(value: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? '')?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
