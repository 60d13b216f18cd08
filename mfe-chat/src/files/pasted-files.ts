/**
 * The files of a clipboard. Spreadsheets and word processors add a picture of the copied text: then the text is pasted. File managers add
 * the file names as text: then the files are. Pictures without a name get one from `nextName`.
 */
export function pastedFiles(
  clipboard: Pick<DataTransfer, 'files' | 'getData'> | null,
  nextName: () => string,
): File[] {
  const files = [...(clipboard?.files ?? [])];
  const text = clipboard?.getData('text/plain') ?? '';
  if (text.trim() && !files.every(({ name }) => text.includes(name))) return [];
  return files.map((file) => (/^image\.\w+$/.test(file.name) ? renamed(file, nextName()) : file));
}

function renamed(file: File, name: string): File {
  const ending = file.name.slice(file.name.lastIndexOf('.'));
  return new File([file], `${name}${ending}`, { type: file.type, lastModified: file.lastModified });
}
