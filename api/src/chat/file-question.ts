import type { FileKind, Language } from '../contract/contract.ts';

/** The question that is put where files came without one. It names them, for people; the answerer is told that nobody put it. */
export function fileQuestion(files: readonly { name: string; kind: FileKind }[], language: Language): string {
  const onlyImages = files.every(({ kind }) => kind === 'image');
  if (language === 'en') {
    const names = files.map(({ name }) => `“${name}”`).join(', ');
    return onlyImages ? `What can be seen in ${names}?` : `Sum up ${names}`;
  }
  const names = files.map(({ name }) => `《${name}》`).join('、');
  return onlyImages ? `${names}里有什么？` : `总结${names}的内容`;
}
