/** The file name in a Content-Disposition of the API, which always has `filename*` (RFC 8187); '' where there is none. */
export function fileNameOf(disposition: unknown): string {
  const encoded =
    typeof disposition === 'string' && /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (!encoded) return '';
  try {
    // A name is no path.
    return decodeURIComponent(encoded.trim()).replace(/[/\\]/g, '_');
  } catch {
    return '';
  }
}
