import { invalidRequest } from '../errors/errors.ts';

/** One part of a multipart body. Its content must be read completely before the next part. */
export interface Part {
  name: string;
  /** As sent; null for a text field. */
  filename: string | null;
  content: AsyncGenerator<Buffer>;
}

/** Maximum size of the headers of one part, in bytes. */
const maxHeadBytes = 16 * 1024;
const lineEnd = '\r\n';

/**
 * Parses a multipart/form-data body (RFC 7578) as a stream: at most one chunk is held. Takes linear time for
 * any input.
 * @throws invalidRequest('body') if it is not a multipart body or ends early.
 */
export async function* readMultipart(body: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Part> {
  const chunks = body[Symbol.asyncIterator]();
  const delimiter = Buffer.from(`${lineEnd}--${boundary}`);
  // The first delimiter has no preceding line break.
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

  /** Reads the headers after a delimiter; null after the last part. */
  async function readHead(): Promise<string | null> {
    while (held.length < 2) await more();
    if (held.subarray(0, 2).toString('latin1') === '--') return null;
    for (;;) {
      const at = held.indexOf(lineEnd + lineEnd);
      if (at > maxHeadBytes || (at === -1 && held.length > maxHeadBytes))
        throw invalidRequest('body', 'invalid_http');
      if (at === -1) {
        await more();
        continue;
      }
      const head = held.subarray(0, at).toString('utf8');
      held = held.subarray(at + 2 * lineEnd.length);
      // The rest of the delimiter's line may only contain blanks.
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
    // Anything after the last delimiter is read and ignored.
    while (!(await chunks.next()).done);
  } finally {
    await chunks.return?.();
  }
}

/** The boundary in a Content-Type; null unless it is multipart/form-data with one. */
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
  // Transfer encodings of parts were removed from the standard; the content is taken literally.
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

/** Some clients escape quotation marks by a backslash, browsers by %22; some send raw backslashes. */
function unquoted(text: string): string {
  return text
    .replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0D/gi, '\r')
    .replace(/%0A/gi, '\n');
}

/** `UTF-8''%e4%b8%ad.txt`, from clients older than RFC 7578. */
function extendedName(value: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? '')?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
