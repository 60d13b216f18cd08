import { chineseStopWords } from '../../text/stop-words.ts';
import { type Run, runsOf, segmenter, termTexts } from '../../text/terms.ts';
import { dot, wordVectors } from '../embeddings/word-vectors.ts';
import { isStopRun } from './analyse-question.ts';

/** A noun with what distinguishes it from others of its kind: 东校区, 3号楼, "east wing", "zone 2". */
interface Qualified {
  qualifier: string;
  noun: string;
  kind: 'chinese' | 'code' | 'word' | 'after';
}

interface Word {
  text: string;
  /** Position in the folded text. */
  from: number;
  isStop: boolean;
  isCode: boolean;
  run: Run;
}

const stopWords: ReadonlySet<string> = new Set(chineseStopWords);
/** Longest words that are compared whole, as the dictionary divides longer ones in several ways. */
const nounLength = 2;
const isChinese = /\p{Script=Han}/u;

/** Characters and words that exclude each other before a noun. */
const contrasts = [
  ...['东西南北中', '上下左右前后里内外', '甲乙丙丁戊己', '高中低初', '大中小', '新老旧', '男女'],
  ...['早中午晚夜日', '春夏秋冬', '正主副', '首末续', '单双多', '公私', '长短'],
].map((some) => [...some]);
const contrastingWords = [
  '周一 周二 周三 周四 周五 周六 周日 周末 平日 工作日',
  'monday tuesday wednesday thursday friday saturday sunday weekday weekend',
  'january february march april may june july august september october november december',
  'north south east west',
  'spring summer autumn winter',
  'first second third fourth fifth sixth',
].map((some) => some.split(' '));
/** Numerals before what they name rather than count: 三层, 四人间, 一年级. */
const numerals = [...'一二三四五六七八九十'];
const isNumbered = /^(?:[号座栋幢楼期层区班路线室级版]|人间|年级)/u;
/** Cosines of words that exclude each other: more alike than unrelated words, less than synonyms. */
const alike = { least: 0.25, most: 0.65 };

const begins: ReadonlySet<string> = new Set([...contrasts.flat(), ...numerals]);

/** Each word of a text with the next one, if the first may qualify the second, or a number or letter the first. */
function qualifiedIn(text: string): Qualified[] {
  const words = runsOf(text).flatMap((run) => wordsOf(run, text));
  return words.flatMap((word, at): Qualified[] => {
    const next = words[at + 1];
    if (!next || word.isStop || next.isStop) return [];
    const isHan = word.run.script === 'cjk';
    const gap = word.run.folded.text.slice(word.from + word.text.length, next.from);
    if (!/^[ -]?$/.test(gap)) return [];
    if (next.run.script === 'cjk') {
      const noun = next.text.slice(0, nounLength);
      if (!isHan)
        return word.isCode && (word.run.script === 'word' || isNumbered.test(noun))
          ? [{ qualifier: word.text, noun, kind: 'code' }]
          : [];
      return gap === '' ? [{ qualifier: word.text, noun, kind: 'chinese' }] : [];
    }
    if (isHan || word.isCode) return [];
    return next.isCode
      ? [{ qualifier: next.text, noun: termTexts(word.run)[0]!, kind: 'after' }]
      : [{ qualifier: word.text, noun: termTexts(next.run)[0]!, kind: 'word' }];
  });
}

/**
 * The words of a run. Of a Chinese word of more than two characters, or that begins with one that may exclude
 * another, the first character is a word of its own.
 */
function wordsOf(run: Run, text: string): Word[] {
  if (run.script !== 'cjk') {
    const isCode = run.script === 'number' || /^\p{Lu}$/u.test(text.slice(run.start, run.end));
    return [{ text: run.text, from: run.from, isStop: !isCode && isStopRun(run), isCode, run }];
  }
  return [...segmenter.segment(run.text)].flatMap(({ segment, index }) => {
    const isDivided =
      segment.length > nounLength || (segment.length === nounLength && begins.has(segment[0]!));
    const parts = isDivided ? [segment.slice(0, 1), segment.slice(1)] : [segment];
    let from = run.from + index;
    return parts.map((part) => {
      from += part.length;
      return {
        text: part,
        from: from - part.length,
        isStop: stopWords.has(isDivided ? segment : part),
        isCode: false,
        run,
      };
    });
  });
}

const isSame = (one: Qualified, other: Qualified) =>
  one.kind === other.kind && one.noun === other.noun && one.qualifier === other.qualifier;
const isSibling = (one: Qualified, other: Qualified) =>
  one.kind === other.kind &&
  one.noun === other.noun &&
  one.qualifier !== other.qualifier &&
  (one.kind === 'code' || one.kind === 'after' || isContrast(one.qualifier, other.qualifier, one.noun));

function isContrast(one: string, other: string, noun: string): boolean {
  const areBoth = (some: readonly string[]) => some.includes(one) && some.includes(other);
  if (areBoth(numerals)) return isNumbered.test(noun);
  if ([...contrasts, ...contrastingWords].some(areBoth)) return true;
  if (one.length === 1 || (isChinese.test(one) && one.length !== other.length)) return false;
  const { vectorOf } = wordVectors();
  const cosine = dot(vectorOf(one), vectorOf(other));
  return cosine >= alike.least && cosine < alike.most;
}

/**
 * Finds texts about another thing of the kind that a question names: about the west wing instead of the east
 * wing. Such a text does not say the asked one, but a sibling that the question does not say.
 */
export function siblingFinder(question: string) {
  const asked = qualifiedIn(question);
  const nouns = [...new Set(asked.map(({ noun }) => noun))];
  const mayHave = (text: string) => {
    const folded = text.toLowerCase();
    return nouns.some((noun) => folded.includes(noun));
  };
  const siblingsOf = (one: Qualified, said: readonly Qualified[]) =>
    said.filter((other) => isSibling(one, other) && !asked.some((also) => isSame(also, other)));
  function insteadIn(text: string): Qualified[] {
    if (!mayHave(text)) return [];
    const said = qualifiedIn(text);
    return asked.filter(
      (one) => !said.some((other) => isSame(one, other)) && siblingsOf(one, said).length > 0,
    );
  }
  return {
    /** Whether a text says a sibling instead of what was asked for. */
    saysSibling: (text: string): boolean => insteadIn(text).length > 0,
    /**
     * Whether a place, with its headings, says a sibling instead, and its document distinguishes them: the
     * document says the asked one elsewhere, or two siblings.
     */
    isOfSibling(place: string, document: readonly string[]): boolean {
      const instead = insteadIn(place);
      if (instead.length === 0) return false;
      const said = document.filter(mayHave).flatMap(qualifiedIn);
      return instead.some(
        (one) =>
          said.some((other) => isSame(one, other)) ||
          new Set(siblingsOf(one, said).map(({ qualifier }) => qualifier)).size > 1,
      );
    },
  };
}
