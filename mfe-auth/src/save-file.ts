/** Hands `data` to the browser as a file of this name. */
export function saveFile(data: Blob, name: string): void {
  const url = URL.createObjectURL(data);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has taken it over by the next minute at the latest.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
