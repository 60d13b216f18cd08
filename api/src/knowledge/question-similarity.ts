import { fold } from '../text/fold.ts';
import { chineseStopWords } from '../text/stop-words.ts';
import { runsOf, stemOf } from '../text/terms.ts';

interface ParsedQuestion {
  /**
   * Chinese characters, stems of other words, and numbers, in order: 北京到上海 is not 上海到北京. Repetitions count
   * separately: 水獭换水 contains one word more than 水獭换笼 without its last.
   */
  words: string[];
  /** Significant words: if only one of two questions contains one of these, they ask different things. */
  significant: ReadonlySet<string>;
  /** Kinds of information it asks for. */
  asks: ReadonlySet<string>;
  /** Whether its word order carries meaning, as in directions and comparisons. */
  isDirected: boolean;
}

/** Minimum share of common words for two questions to count as the same. */
const minSimilarity = 0.8;
/** Words per look-up, and look-ups per question. */
const wordsPerLookUp = 3;
const maxLookUps = 5;
const maxQuestionLength = 2000;

/** Removes politeness, particles and auxiliary verbs; keeps negations, places and directions. */
export function parseQuestion(text: string): ParsedQuestion {
  const asked = fold(text.slice(0, maxQuestionLength))
    .replace(symbols, (symbol) => ` ${symbolNames[symbol]} `)
    .replace(either, '$1');
  const runs = runsOf(asked);
  const isChinese = runs.some(({ script }) => script === 'cjk');
  const counted = new Map<string, boolean>();
  const count = (word: string, isSignificant: boolean) => {
    let name = word;
    while (counted.has(name)) name += '+';
    counted.set(name, isSignificant || negations.has(word));
  };
  for (const [at, run] of runs.entries()) {
    if (run.script === 'number') count(run.text, true);
    else if (run.script === 'cjk')
      for (const character of run.text.replace(fillers, '').replace(particles, '')) count(character, false);
    else {
      const { word, isDenied } = bareWord(run.text);
      if (isDenied) count('not', true);
      // Between Chinese characters a Latin word is a name, and so is a single letter: USB-A, https, Pro. In
      // English, so is the word after a number.
      const isName = isChinese || word.length === 1 || runs[at - 1]?.script === 'number';
      if (isChinese || !plain.has(word)) count(isChinese ? word : stemOf(word), isName);
    }
  }
  const folded = runs.map((run) => run.text).join(' ');
  const asks = Object.entries(kinds).filter(([, pattern]) => pattern.test(folded));
  return {
    words: [...counted.keys()],
    significant: new Set([...counted].flatMap(([word, isSignificant]) => (isSignificant ? word : []))),
    asks: new Set(asks.map(([kind]) => kind)),
    isDirected: directed.test(folded),
  };
}

/** "where's" is "where", "doesn't" is a negation. */
function bareWord(word: string): { word: string; isDenied: boolean } {
  const [, verb] = /^(.+?)n['’]t$/u.exec(word) ?? /^(can)not$/u.exec(word) ?? [];
  // "can't" and "won't" are irregular.
  if (verb !== undefined)
    return { word: verb === 'ca' ? 'can' : verb === 'wo' ? 'will' : verb, isDenied: true };
  return { word: word.replace(/['’](?:s|m|d|re|ve|ll)$/u, ''), isDenied: false };
}

/**
 * Whether two questions ask the same: neither has a significant word that differs (prices of two brands are
 * two questions), numbers, names and negations are equal, and words in only one of them are few. A question
 * without a recognised kind of information matches any kind; two different kinds never match.
 */
export function areSimilar(one: ParsedQuestion, other: ParsedQuestion): boolean {
  const mine = without(one.words, other.words);
  const theirs = without(other.words, one.words);
  if (mine.length > 0 && theirs.length > 0) return false;
  if (mine.some((word) => one.significant.has(word)) || theirs.some((word) => other.significant.has(word)))
    return false;
  if (one.asks.size > 0 && other.asks.size > 0 && !areSame(one.asks, other.asks)) return false;
  const all = one.words.length + other.words.length;
  if (all === 0 || (all - mine.length - theirs.length) / all < minSimilarity) return false;
  const both = (words: readonly string[]) =>
    words.filter((word) => !mine.includes(word) && !theirs.includes(word));
  return isSameOrder(both(one.words), both(other.words), one.isDirected || other.isDirected);
}

function areSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((part) => other.has(part));
}

/** Whether the order is equal, or without meaning and one part is moved (发票怎么开, 怎么开发票). */
function isSameOrder(one: readonly string[], other: readonly string[], isDirected: boolean): boolean {
  let from = 0;
  while (from < one.length && one[from] === other[from]) from += 1;
  if (from === one.length && from === other.length) return true;
  if (isDirected) return false;
  let to = one.length;
  while (one[to - 1] === other[to - 1]) to -= 1;
  const part = one.slice(from, to);
  return lineOf([...part, ...part]).includes(lineOf(other.slice(from, to)));
}

function lineOf(words: readonly string[]): string {
  return ` ${words.join(' ')} `;
}

/** A similar question has all words of one of these lists, unless it is much shorter. */
export function lookUpsOf({ words }: ParsedQuestion): string[][] {
  const size = words.length < 2 * wordsPerLookUp ? Math.ceil(words.length / 2) : wordsPerLookUp;
  const lists: string[][] = [];
  for (let at = 0; at < words.length && lists.length < maxLookUps; at += size)
    lists.push(words.slice(at, at + size));
  return lists;
}

function without(words: readonly string[], others: readonly string[]): string[] {
  return words.filter((word) => !others.includes(word));
}

/** Without meaning: no negations (能不能 is not one), and of single characters particles alone. */
const isFiller = (word: string) => word.length > 1 && (!/[不没别]/.test(word) || /^(.+?)[不没]\1/.test(word));
/** Question words; their kind is determined separately. */
const asking =
  '多长时间 多久 多长 多大 多远 多重 几点 几号 哪天 几年 几个月 几天 几周 几次 哪里 哪儿 何处'.split(' ');
const fillers = new RegExp([...asking, ...chineseStopWords.filter(isFiller)].join('|'), 'gu');
const particles = /[的地得了着过吗呢吧啊呀嘛哦么呐哈之是在我你您他她它请要会能可想啥哪]/gu;

const plain: ReadonlySet<string> = new Set(
  (
    'a an the this that is are was were be been do does did can could may might shall should will would have has had i me my we our us ' +
    'you your it its please tell know explain how what which when where why to of for there thanks thank hello hi hey'
  ).split(' '),
);

const negations: ReadonlySet<string> = new Set([...'不没无非别勿未', 'not', 'no', 'non', 'never', 'without']);

const directed = /\b(?:from|than|to)\b|谁.*[我你他她]|[我你他她].*谁/u;
/** A-not-A questions: 能不能, 上不上. */
const either = /(\p{Script=Han})[不没]\1/gu;
/** Symbols that are part of the preceding word. */
const symbolNames: Record<string, string> = { '++': 'plusplus', '#': 'sharp', '%': 'percent' };
const symbols = /(?<=[a-z])\+\+|(?<=[a-z])#|(?<=\p{Nd})%/gu;

const kinds: Record<string, RegExp> = {
  why: /为什么|为何|为啥|\bwhy\b/u,
  when: /什么时候|何时|啥时候|几点|几号|哪天|\bwhen\b/u,
  where: /哪里|哪儿|何处|在哪|\bwhere\b/u,
  time: /多久|多长时间|几[年天周月]|几个[月星小钟]|\bhow long\b/u,
  amount:
    /多少|多长(?!时)|多大|多远|多重|几(?![点号乎何年天周月个])|几个(?![月星小钟])|\bhow (?:many|much|often|far)\b/u,
  who: /谁|\bwho\b/u,
  way: /怎么(?!回事)|怎样|如何|咋|\bhow (?!many\b|much\b|long\b|often\b|far\b)/u,
};
