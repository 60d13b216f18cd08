import type { FileKind } from '../contract/files.ts';
import type { Language } from '../contract/language.ts';

/**
 * The generated question for files sent without one. It names the files, for people; the answerer knows that
 * it was generated.
 */
export function fileQuestion(files: readonly { name: string; kind: FileKind }[], language: Language): string {
  const onlyImages = files.every(({ kind }) => kind === 'image');
  if (language === 'en') {
    const names = files.map(({ name }) => `“${name}”`).join(', ');
    return onlyImages ? `What can be seen in ${names}?` : `Sum up ${names}`;
  }
  const names = files.map(({ name }) => `《${name}》`).join('、');
  return onlyImages ? `${names}里有什么？` : `总结${names}的内容`;
}
