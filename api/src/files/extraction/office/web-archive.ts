import PostalMime from 'postal-mime';

/** Beginning of a web archive (MHT), a page with its pictures as a MIME message. */
const beginning =
  /^\s*(?:[\w-]+:[^\n]*\n(?:[ \t][^\n]*\n)*){0,30}?content-type:\s*(?:multipart\/|text\/html)/i;

/** The page within a web archive; null if the bytes are none. */
export async function pageOfWebArchive(bytes: Buffer): Promise<Buffer | null> {
  if (!beginning.test(bytes.toString('latin1', 0, 4096))) return null;
  const { html, text } = await PostalMime.parse(bytes);
  // The mark tells that the page is in UTF-8 now, whatever it declares.
  return html || text ? Buffer.from(`\ufeff${html ?? text}`) : null;
}
