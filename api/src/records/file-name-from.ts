/** A file name without an ending from a title: without the characters that file systems do not allow. */
export function fileNameFrom(title: string): string {
  const name = title
    .replaceAll(/[\p{Cc}\p{Cf}\\/:*?"<>|]+/gu, '_')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return (
    [...name]
      .slice(0, 80)
      .join('')
      .replace(/^\.+|[. ]+$/g, '') || 'report'
  );
}
