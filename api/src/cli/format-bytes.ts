/** `812 B`, `34.5 KB`, `1.2 MB`, in decimal units. */
export function bytes(count: number): string {
  const size = Math.abs(count);
  const sign = count < 0 ? '-' : '';
  if (size < 1000) return `${sign}${size} B`;
  if (size < 999_950) return `${sign}${(size / 1000).toFixed(1)} KB`;
  return `${sign}${(size / 1_000_000).toFixed(1)} MB`;
}

/** The same with a sign, for differences. */
export function bytesMore(count: number): string {
  return count > 0 ? `+${bytes(count)}` : bytes(count);
}
