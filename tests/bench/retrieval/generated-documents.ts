import { readFileSync } from 'node:fs';
import type { Language } from '../../../api/src/contract/language.ts';
import { randomFrom } from '../searched-records.ts';
import type { CorpusDocument } from './corpus/read-chapters.ts';

/** Sections per document; each is short enough to be one passage. */
const SECTIONS = 200;
const WORDS = 30_000;

export interface Generated {
  documents: Iterable<CorpusDocument>;
  /** Alternating between both languages: with a rare word, with less frequent words, and with common words only. */
  questions: { question: string; language: Language }[];
}

/** About `passages` passages, half Chinese and half English, with Zipf-like word frequencies. Deterministic. */
export function generate(passages: number, questions: number): Generated {
  const random = randomFrom(11);
  const wordsOf = { zh: vocabulary('zh'), en: vocabulary('en') };
  return {
    documents: documentsOf(passages, wordsOf),
    questions: Array.from({ length: questions }, (_, at) => questionOf(at)),
  };

  function questionOf(at: number) {
    const language = at % 2 === 0 ? 'zh' : 'en';
    const words = wordsOf[language];
    const from = (least: number, most: number) => words[least + Math.floor(random() * (most - least))]!;
    const rarities = [
      [from(5000, WORDS), from(50, 500), from(500, 5000)],
      [from(200, 2000), from(200, 2000), from(20, 200)],
      [from(0, 60), from(0, 60), from(0, 200)],
    ];
    const [one, two, three] = rarities[Math.floor(at / 2) % rarities.length]!;
    const question =
      language === 'zh' ? `怎样${one}${two}的${three}？` : `How do I ${one} the ${two} of ${three}?`;
    return { question, language } as const;
  }
}

/** The same with the words of both languages, by their real frequencies: passages that share words with any question and answer none. */
export function foreignDocuments(passages: number): Generator<CorpusDocument> {
  const words = readFileSync(new URL('../../../api/word-vectors/words.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const isChinese = (word: string) => /\p{Script=Han}/u.test(word);
  return documentsOf(passages, {
    zh: words.filter(isChinese),
    en: words.filter((word) => !isChinese(word)),
  });
}

function* documentsOf(passages: number, wordsOf: Record<Language, string[]>): Generator<CorpusDocument> {
  const random = randomFrom(12);
  for (let from = 0; from < passages; from += SECTIONS) {
    const language = (from / SECTIONS) % 2 === 0 ? 'zh' : 'en';
    const sentence = (length: number) => sentenceOf(language, wordsOf[language], length, random);
    const sections = Array.from(
      { length: Math.min(SECTIONS, passages - from) },
      () =>
        `## ${sentence(5)}\n\n${Array.from({ length: 6 }, () => sentence(language === 'zh' ? 20 : 12)).join(language === 'zh' ? '' : ' ')}\n`,
    );
    const title = sentence(4);
    yield { name: `generated-${from}`, title, language, text: `# ${title}\n\n${sections.join('\n')}` };
  }
}

function sentenceOf(language: Language, words: string[], length: number, random: () => number): string {
  const chosen = Array.from({ length }, () => words[ofFrequency(words.length, random)]!);
  return language === 'zh' ? `${chosen.join('')}。` : `${chosen.join(' ')}.`;
}

/** Index of a word; the n-th is about n times rarer than the first (Zipf's law). */
function ofFrequency(count: number, random: () => number): number {
  return Math.min(count - 1, Math.floor(Math.exp(random() * Math.log(count + 1)) - 1));
}

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bran clor dert fling'.split(
  ' ',
);
/** Start of the 3,000 Han characters used. */
const FIRST_HAN = 0x4e00;

function vocabulary(language: Language): string[] {
  const random = randomFrom(language === 'zh' ? 13 : 14);
  const oneOf = (most: number) => Math.floor(random() * most);
  const words = new Set<string>();
  while (words.size < WORDS) {
    if (language === 'zh') words.add(String.fromCharCode(FIRST_HAN + oneOf(3000), FIRST_HAN + oneOf(3000)));
    else words.add(Array.from({ length: 2 + oneOf(3) }, () => SYLLABLES[oneOf(SYLLABLES.length)]).join(''));
  }
  return [...words];
}
