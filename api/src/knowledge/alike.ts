import { chineseStopWords } from '../answers/stop-words.ts';
import { runsOf, stemOf } from '../answers/terms.ts';

/** What a question says, apart once for many comparisons. */
export interface SaidWords {
  /** Characters of Chinese, stems of other words, numbers; each once, in order. */
  words: string[];
  /** Neighbours in order: what tells 北京到上海 from 上海到北京. */
  pairs: ReadonlySet<string>;
  /** Kinds of things that it asks for. */
  asks: ReadonlySet<string>;
  /** Whether its words mean something else the other way round. */
  isDirected: boolean;
}

/** From this share of what both say on, two questions are the same one in other words. */
const enough = 0.8;
/** The same words in quite another order are another question, in nearly any where one goes from here to there, or is compared. */
const enoughOrder = 0.45;
const enoughDirection = 0.8;
/** Words looked up at once, and look-ups a question. */
const wordsAtOnce = 3;
const mostLookUps = 5;
const longestQuestion = 2000;

/** Takes a question apart: politeness, particles and auxiliary verbs out; negations stay, and so do words of place and direction. */
export function saidIn(text: string): SaidWords {
  const asked = text.slice(0, longestQuestion);
  const words: string[] = [];
  for (const run of runsOf(asked)) {
    if (run.script === 'number') words.push(run.text);
    else if (run.script === 'cjk') words.push(...run.text.replace(fillers, '').replace(particles, ''));
    else if (!plain.has(run.text)) words.push(stemOf(run.text));
  }
  const folded = runsOf(asked)
    .map((run) => run.text)
    .join(' ');
  const asks = Object.entries(kinds).filter(([, pattern]) => pattern.test(folded));
  return {
    words: [...new Set(words)],
    pairs: new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`)),
    asks: new Set(asks.map(([kind]) => kind)),
    isDirected: /[到至往比]|\b(?:from|than|to)\b/u.test(folded),
  };
}

/**
 * Whether two questions are alike: neither says one thing where the other says another (the price of two makes is two questions), numbers are
 * the same, and what only one of them says is little. A missing kind of thing asked for goes with any; two kinds are two questions.
 */
export function areAlike(one: SaidWords, other: SaidWords): boolean {
  const mine = without(one.words, other.words);
  const theirs = without(other.words, one.words);
  if (mine.length > 0 && theirs.length > 0) return false;
  if ([...mine, ...theirs].some((word) => /\p{Nd}/u.test(word) || negations.has(word))) return false;
  if (one.asks.size > 0 && other.asks.size > 0 && shared(one.asks, other.asks) < 1) return false;
  const all = one.words.length + other.words.length;
  if (all === 0 || (all - mine.length - theirs.length) / all < enough) return false;
  if (mine.length + theirs.length > 0) return true;
  const order = one.isDirected || other.isDirected ? enoughDirection : enoughOrder;
  return one.words.length < 2 || shared(one.pairs, other.pairs) >= order;
}

/** Dice's coefficient of two sets. */
function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((part) => other.has(part)).length;
  return (2 * both) / (one.size + other.size || 1);
}

/** Words that an alike question says together: it says all of one of these lists, unless it is much shorter. */
export function lookUpsOf({ words }: SaidWords): string[][] {
  const size = words.length < 2 * wordsAtOnce ? Math.ceil(words.length / 2) : wordsAtOnce;
  const lists: string[][] = [];
  for (let at = 0; at < words.length && lists.length < mostLookUps; at += size)
    lists.push(words.slice(at, at + size));
  return lists;
}

function without(words: readonly string[], others: readonly string[]): string[] {
  return words.filter((word) => !others.includes(word));
}

/** Of the stop words of retrieval those that change nothing: no negation (能不能 is none), no single character but particles. */
const isFiller = (word: string) => word.length > 1 && (!/[不没别]/.test(word) || /^(.+?)[不没]\1/.test(word));
/** Words that ask, whose kind is told apart from them. */
const asking =
  '多长时间 多久 多长 多大 多远 多重 几点 几号 哪天 几年 几个月 几天 几周 几次 哪里 哪儿 何处 谁'.split(' ');
const fillers = new RegExp([...asking, ...chineseStopWords.filter(isFiller)].join('|'), 'gu');
const particles = /[的地得了着过吗呢吧啊呀嘛哦么呐哈之是在我你您他她它请要会能可想啥哪]/gu;

const plain: ReadonlySet<string> = new Set(
  (
    'a an the this that is are was were be been do does did can could may might shall should will would have has had i me my we our us ' +
    'you your it its please tell know explain how what which who when where why to of for there thanks thank hello hi hey'
  ).split(' '),
);

const negations: ReadonlySet<string> = new Set(
  '不没无非别勿未'.split('').concat('not no never without'.split(' ')),
);

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
