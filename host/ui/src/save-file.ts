/** Long enough for any browser to read the file. */
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
