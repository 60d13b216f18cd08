import type { Language } from '../../contract/language.ts';
import { fold } from '../../text/fold.ts';
import { englishStopWords } from '../../text/stop-words.ts';
import { runsOf, stemOf } from '../../text/terms.ts';

/** Synonyms of the words in a heading of the handbook, without stop words; '' if there are none. */
export type FindSynonyms = (heading: string) => string;

/**
 * Reads the synonyms of the handbook: one set per line, separated by `|`. They are indexed with the sections whose headings contain one of them, and
 * affect neither questions nor other documents.
 */
export function readSynonyms(content: string, language: Language): FindSynonyms {
  const sets = content
    .split('\n')
    .map((line) => line.split('|').map((word) => word.trim()))
    .map((words) => ({ words, keys: words.map((word) => keyOf(word, language)) }));
  return (heading) => {
    const key = keyOf(heading, language);
    const named = sets.filter(({ keys }) =>
      keys.some(
        (one) => one.length > 1 && (language === 'zh' ? key.includes(one) : ` ${key} `.includes(` ${one} `)),
      ),
    );
    const words = named.flatMap((one) => one.words).flatMap((word) => word.split(' '));
    return [...new Set(words)].filter((word) => !englishStopWords.has(stemOf(word))).join(' ');
  };
}

function keyOf(words: string, language: Language): string {
  if (language === 'zh') return fold(words);
  return runsOf(words)
    .map((run) => stemOf(run.text))
    .join(' ');
}
