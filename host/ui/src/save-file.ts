/** Time after which every browser has read the file. */
const REVOKE_AFTER_MS = 60_000;

/** Downloads `data` under this name, as if the visitor had clicked a link to it. */
export function saveFile(data: Blob, name: string): void {
  const url = URL.createObjectURL(data);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}

/** The file name of a Content-Disposition (RFC 6266): `filename*` in UTF-8 before `filename`; '' where there is none. */
export function fileNameOf(disposition: unknown): string {
  const text = typeof disposition === 'string' ? disposition : '';
  const encoded = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(text)?.[1];
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(text);
  const name = decoded(encoded) ?? (plain?.[1]?.replace(/\\(.)/g, '$1') || plain?.[2] || '');
  // The name must not contain a path.
  return name.replace(/[/\\]/g, '_').trim();
}

function decoded(text: string | undefined): string | undefined {
  if (!text) return undefined;
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return undefined;
  }
}
