/**
 * The files of a clipboard. Cells and paragraphs come as words with a picture of them: then the words are meant. A file manager gives
 * files with their names as words: then the files are. Pictures without a name of their own are called by `nextName`.
 */
export function pastedFiles(
  clipboard: Pick<DataTransfer, 'files' | 'getData'> | null,
  nextName: () => string,
): File[] {
  const files = [...(clipboard?.files ?? [])];
  const words = clipboard?.getData('text/plain') ?? '';
  if (words.trim() && !files.every(({ name }) => words.includes(name))) return [];
  return files.map((file) => (/^image\.\w+$/.test(file.name) ? renamed(file, nextName()) : file));
}

function renamed(file: File, name: string): File {
  const ending = file.name.slice(file.name.lastIndexOf('.'));
  return new File([file], `${name}${ending}`, { type: file.type, lastModified: file.lastModified });
}
