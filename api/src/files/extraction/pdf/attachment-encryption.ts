/** Maximum length of an encryption dictionary, in bytes. */
const reach = 4000;

/**
 * The bytes of a PDF of which only attachments are encrypted, without the reference to its encryption: PDF.js asks
 * for a password that the text does not need. Other files are returned unchanged (ISO 32000-2, 7.6.6).
 */
export function withoutAttachmentEncryption(bytes: Uint8Array): Uint8Array {
  // A new array: PDF.js takes its buffer.
  const copy = Buffer.from(bytes);
  for (
    let at = copy.lastIndexOf('/Encrypt');
    at >= 0;
    at = at > 0 ? copy.lastIndexOf('/Encrypt', at - 1) : -1
  ) {
    const after = copy.toString('latin1', at + 8, at + reach);
    const [, reference, inline] = /^\s*(?:(\d+\s+\d+)\s+R|(<<))/.exec(after) ?? [];
    const dictionary = inline ? after : reference ? objectText(copy, reference) : '';
    if (isOfAttachmentsOnly(dictionary)) copy.write('/Encrypu', at, 'latin1');
  }
  return new Uint8Array(copy.buffer, copy.byteOffset, copy.length);
}

function objectText(bytes: Buffer, reference: string): string {
  const [number, generation] = reference.split(/\s+/);
  const start = new RegExp(`(?:^|[\\r\\n\\s])${number}\\s+${generation}\\s+obj\\b`);
  for (
    let at = bytes.indexOf(`${number} ${generation} obj`);
    at >= 0;
    at = bytes.indexOf(`${number} ${generation} obj`, at + 1)
  ) {
    const text = bytes.toString('latin1', Math.max(0, at - 1), at + reach);
    if (start.test(text.slice(0, 40)))
      return text.slice(0, (text.indexOf('endobj') + 1 || text.length + 1) - 1);
  }
  return '';
}

/** Streams and strings use the crypt filter Identity, which is also the default. */
function isOfAttachmentsOnly(dictionary: string): boolean {
  if (!/\/EFF\s*\//.test(dictionary)) return false;
  const filters = [...dictionary.matchAll(/\/(?:StmF|StrF)\s*\/(\w+)/g)].map(([, name]) => name);
  return filters.every((name) => name === 'Identity');
}
