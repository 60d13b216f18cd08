/** Characters that are kept of an error. */
const LONGEST = 500;
/** Characters that are looked at. */
const LOOKED_AT = 2000;

const ADDRESS =
  /\b([a-z][a-z0-9+.-]{1,20}):\/\/(?:[^\s/@]{1,200}@)?([^\s/?#"'()<>]{0,200})([^\s"'()<>]{0,1500})/gi;
/** Of machines, visitors' own among them; in a web address it is a server's. */
const IPV4 = /(?<![\w./@-])\d{1,3}(\.\d{1,3}){3}(?![\w.]*\w)/g;
const IPV6 = /(?<![\w:.[])(?=[\da-f]{0,4}:[\da-f]{0,4}:)(?=:{0,2}[a-f\d])[\da-f:]{3,39}(?![\w:])/gi;
const SECRET =
  /\b(token|password|passwd|pwd|secret|api[_-]?key|authorization|cookie|session)(\s?[=:]\s?)(?!\s)[^\s;,"']{3,200}/gi;
const LOCAL_ADDRESS = /(^|[\s"'(])(\/[^\s"'()<>?#]{1,500})([?#][^\s"'()<>]{0,1500})?/g;

/**
 * An error as it may be kept: without queries, ids, tokens, addresses of machines, numbers that could be somebody's, mail addresses, or
 * quoted text that is no code (a parser quotes what it was given). What tells errors apart stays: words, names in code, files.
 */
export function scrubError(error: string): string {
  const text = error
    .slice(0, LOOKED_AT)
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what shall go
    .replace(/[\u0000-\u001f\u007f\s]+/g, ' ')
    // Pages put it in the place of digits: in the name of a file it begins no fragment.
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
    // Each is looked through once: looking ahead for the digit would begin anew at every hyphen.
    .replace(/[\w-]{20,}/g, (word) => (/\d/.test(word) ? '…' : word))
    .replace(/\+?\d[\d -]{4,}\d/g, '…')
    .trim();
  return text.slice(0, LONGEST).toWellFormed();
}

/** A path without its query, and without segments that look like somebody's or something's id. */
function withoutIds(path: string): string {
  return (path.split(/[?#]/, 1)[0] ?? '')
    .split('/')
    .map((segment) => (isId(segment) ? '…' : segment))
    .join('/');
}

/** Hashes in the names of files are short and stand before a suffix. */
function isId(segment: string): boolean {
  return (
    /^\d{4,}$/.test(segment) ||
    /^(?=.*\d)[\w-]{16,}$/.test(segment) ||
    /%[0-9a-f]{2}/i.test(segment) ||
    (segment.includes('@') && !/^[\w.@+-]+\.\w{1,4}(:\d+)*$/.test(segment))
  );
}

/** A name or a path as code has them, rather than somebody's words. */
function isCode(text: string): boolean {
  return /^[\w$.@/:#()[\]-]{0,80}$/.test(text) && !/\d{6}/.test(text);
}
