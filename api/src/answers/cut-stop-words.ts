import { chineseStopWords } from './stop-words.ts';

/** Takes a word out of what is free of a text, wherever it stands. */
export function cutOut(text: string, word: string, free: boolean[]): void {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isFree = free.slice(at, at + word.length).every(Boolean);
    if (isFree) free.fill(false, at, at + word.length);
  }
}

const stopCharacters: ReadonlySet<string> = new Set(chineseStopWords.filter((word) => word.length === 1));
const particles: ReadonlySet<string> = new Set('的地得了着过吗呢吧啊把');

/** Takes single characters out that say nothing: particles anywhere, others where no content word holds them (用 in 信用卡). */
export function cutCharacters(word: string, start: number, free: boolean[]): void {
  const isEmpty = [...word].every((character) => stopCharacters.has(character));
  for (let at = 0; at < word.length; at += 1) {
    const character = word[at]!;
    if (particles.has(character) || (isEmpty && stopCharacters.has(character))) free[start + at] = false;
  }
}
