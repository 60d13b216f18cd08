/** Maximum number of characters stored of an error. */
const MAX_LENGTH = 500;
/** Maximum number of characters examined. */
const MAX_EXAMINED = 2000;

const ADDRESS =
  /\b([a-z][a-z0-9+.-]{1,20}):\/\/(?:[^\s/@]{1,200}@)?([^\s/?#"'()<>]{0,200})([^\s"'()<>]{0,1500})/gi;
/** IP addresses, including those of visitors. Within a URL it is a server's address. */
const IPV4 = /(?<![\w./@-])\d{1,3}(\.\d{1,3}){3}(?![\w.]*\w)/g;
const IPV6 = /(?<![\w:.[])(?=[\da-f]{0,4}:[\da-f]{0,4}:)(?=:{0,2}[a-f\d])[\da-f:]{3,39}(?![\w:])/gi;
const SECRET =
  /\b(token|password|passwd|pwd|secret|api[_-]?key|authorization|cookie|session)(\s?[=:]\s?)(?!\s)[^\s;,"']{3,200}/gi;
const LOCAL_ADDRESS = /(^|[\s"'(])(\/[^\s"'()<>?#]{1,500})([?#][^\s"'()<>]{0,1500})?/g;

/**
 * Removes everything from an error text that could identify somebody: queries, ids, tokens, IP addresses,
 * long numbers, mail addresses and quoted text that is not code (parsers quote their input). Keeps what
 * distinguishes errors: words, identifiers, files.
 */
export function scrubError(error: string): string {
  const text = error
    .slice(0, MAX_EXAMINED)
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are to be removed
    .replace(/[\u0000-\u001f\u007f\s]+/g, ' ')
    // Pages replace digits by '#': within a file name it does not start a fragment.
    .replace(/(?<=\/[\w.-]*)#(?=\w*\.m?js\b)/g, '…')
    .replace(/\b(data|blob):[^\s"')]+/gi, '$1:…')
    .replace(
      ADDRESS,
      (_, scheme: string, host: string, path: string) => `${scheme}://${host}${withoutIds(path)}`,
    )
    .replace(LOCAL_ADDRESS, (_, before: string, path: string) => before + withoutIds(path))
    .replace(/\bBearer \S+/gi, 'Bearer …')
    .replace(SECRET, '$1$2…')
    .replace(IPV4, '…')
    .replace(IPV6, '…')
    .replace(
      /([«‘「『])([^«»‘’「」『』]*)([»’」』])/g,
      (quoted, open: string, inner: string, close: string) => (isCode(inner) ? quoted : `${open}…${close}`),
    )
    .replace(/[^\s"'<>()@/]{1,64}@(?!\d+\.\d+\.\d)[\w-]+(\.[\w-]+)+/g, '…')
    .replace(/"([^"]*)"|“([^“”]*)”|`([^`]*)`/g, (quoted, ...inner: (string | undefined)[]) =>
      isCode(inner.slice(0, 3).find((text) => text !== undefined) ?? '')
        ? quoted
        : `${quoted[0]}…${quoted.at(-1)}`,
    )
    .replace(/(^|[\s(=:,])'([^']*)'(?=$|[\s).,:;])/g, (whole, before: string, inner: string) =>
      isCode(inner) ? whole : `${before}'…'`,
    )
    // Each word is scanned once: a lookahead for the digit would restart at every hyphen.
    .replace(/[\w-]{20,}/g, (word) => (/\d/.test(word) ? '…' : word))
    .replace(/\+?\d[\d -]{4,}\d/g, '…')
    .trim();
  return text.slice(0, MAX_LENGTH).toWellFormed();
}

/** A path without its query and without segments that look like ids. */
function withoutIds(path: string): string {
  return (path.split(/[?#]/, 1)[0] ?? '')
    .split('/')
    .map((segment) => (isId(segment) ? '…' : segment))
    .join('/');
}

/** Hashes in file names are not ids: they are short and precede a suffix. */
function isId(segment: string): boolean {
  return (
    /^\d{4,}$/.test(segment) ||
    /^(?=.*\d)[\w-]{16,}$/.test(segment) ||
    /%[0-9a-f]{2}/i.test(segment) ||
    (segment.includes('@') && !/^[\w.@+-]+\.\w{1,4}(:\d+)*$/.test(segment))
  );
}

/** Whether this is an identifier or a path in code rather than text of a person. */
function isCode(text: string): boolean {
  return /^[\w$.@/:#()[\]-]{0,80}$/.test(text) && !/\d{6}/.test(text);
}
