import type { Run } from './terms.ts';

/** A number that is not written in digits alone: 三十, 百分之五, 1.2万, twenty-one. */
export interface Numeral {
  /** The number in digits. */
  value: string;
  /** Position in the text, in UTF-16 units. */
  start: number;
  end: number;
  /** The parts of folded runs that it consists of. */
  parts: { run: number; from: number; to: number }[];
}

/**
 * The numerals of a text, in order. A single Chinese digit is a numeral only before a measure word or after
 * 第, as many words contain one (四川). 一 and "one" are none, as they mostly mean "a".
 */
export function numeralsIn(runs: readonly Run[]): Numeral[] {
  return runs.flatMap((run, at): Numeral[] => {
    if (run.script === 'cjk') return chineseIn(run, at);
    const next = runs[at + 1];
    if (run.script === 'number') return next ? scaledAt(run, next, at) : [];
    return englishAt(runs, at);
  });
}

const digits = '零一二三四五六七八九';
const numeral = '[〇零一二两三四五六七八九十百千万亿]+';
const measure =
  '(?:个|天|日|周|月|年|小时|分钟|秒|点|号|人|名|位|次|元|块|份|张|件|本|条|台|层|楼|级|岁|公里|米|度|种|项|款|倍|学分|学期|工作日)';
const inChinese = new RegExp(
  `(?<percent>百分之)(?<of>${numeral})|(?<half>[一二两三四五六七八九十])个半|(?<word>${numeral})`,
  'gu',
);
const isMeasured = new RegExp(`^${measure}`, 'u');
/** Words that look like numerals. */
const notNumbers: ReadonlySet<string> = new Set(['万一', '千万', '一一', '万千', '万万']);

function chineseIn({ text, start: _, folded, from: begin }: Run, run: number): Numeral[] {
  return [...text.matchAll(inChinese)].flatMap((found): Numeral[] => {
    const { of, half, word } = found.groups!;
    const [from, to] = [found.index, found.index + found[0].length];
    if (word !== undefined && !isNumber(word, text.slice(0, from), text.slice(to))) return [];
    const value = half === undefined ? chineseValue(of ?? word!) : chineseValue(half) + 0.5;
    const start = folded.starts[begin + from]!;
    const end = folded.ends[begin + to - 1]!;
    return [{ value: String(value), start, end, parts: [{ run, from, to }] }];
  });
}

function isNumber(word: string, before: string, after: string): boolean {
  if (notNumbers.has(word)) return false;
  if (word.length === 1)
    return /[二两三四五六七八九十]/.test(word) && (before.endsWith('第') || isMeasured.test(after));
  return /[十百千万亿]/.test(word) ? /^[一二两三四五六七八九十]/.test(word) : word.length > 2;
}

/** The value of Chinese numerals: 二十三, 一百零五, 三万, 两千五 (2,500), and digit by digit 二〇二四. */
export function chineseValue(word: string): number {
  const folded = word.replaceAll('〇', '零').replaceAll('两', '二');
  if (!/[十百千万亿]/.test(folded)) return Number([...folded].map((one) => digits.indexOf(one)).join(''));
  let total = 0;
  let section = 0;
  let digit = 0;
  for (const one of folded) {
    const unit = chineseUnits.get(one);
    if (unit === undefined) digit = digits.indexOf(one);
    else if (unit < 1e4) {
      section += (digit || 1) * unit;
      digit = 0;
    } else {
      total = (total + section + digit || 1) * unit;
      [section, digit] = [0, 0];
    }
  }
  const last = chineseUnits.get([...folded].at(-2) ?? '') ?? 0;
  return total + section + (last >= 100 ? (digit * last) / 10 : digit);
}

const chineseUnits = new Map([...'十百千万亿'].map((unit, at) => [unit, [10, 100, 1e3, 1e4, 1e8][at]!]));

const scales: readonly [RegExp, number][] = [
  [/^\s*(?:万亿|trillion\b)/i, 1e12],
  [/^\s*(?:billion|bn)\b/i, 1e9],
  [/^\s*亿/, 1e8],
  [/^\s*(?:million|mn)\b/i, 1e6],
  [/^\s*万/, 1e4],
  [/^(?:\s*thousand|k)\b|^\s*千(?![克瓦米卡])/i, 1e3],
];

/** The value of digits with the scale after them: equal for 1,200.50 and 1200.5, 03 and 3, 1.5万 and 15000. */
export function valueOfDigits(written: string, after: string): string {
  const plain = written.replace(/,(?=\d{3}(?!\d))/g, '');
  const value = Number(plain);
  // Digits with several points or commas are a version, an address or a list.
  if (Number.isNaN(value) || !Number.isSafeInteger(Math.trunc(value))) return plain;
  const scale = scales.find(([unit]) => unit.test(after))?.[1] ?? 1;
  return String(Number((value * scale).toPrecision(15)));
}

const scaleWord = /^(?:万亿|[千万亿](?![克瓦米卡])|thousand\b|million\b|billion\b|k\b)/;

/** The numeral of digits and the word for a scale after them. */
function scaledAt(run: Run, next: Run, at: number): Numeral[] {
  const gap = next.from - run.from - run.text.length;
  const scale = gap <= 1 ? scaleWord.exec(next.text)?.[0] : undefined;
  if (scale === undefined) return [];
  const parts = [
    { run: at, from: 0, to: run.text.length },
    { run: at + 1, from: 0, to: scale.length },
  ];
  const end = next.folded.ends[next.from + scale.length - 1]!;
  return [{ value: valueOfDigits(run.text, next.text), start: run.start, end, parts }];
}

/** Values of English words for numbers. */
export const englishValues: ReadonlyMap<string, number> = new Map(
  [
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
    'twenty thirty forty fifty sixty seventy eighty ninety',
  ].flatMap((words, at) =>
    words.split(' ').map((word, index) => [word, at === 0 ? index : 20 + 10 * index] as const),
  ),
);

const englishScales = new Map([
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1e6],
]);

function englishAt(runs: readonly Run[], at: number): Numeral[] {
  const valueAt = (index: number) => {
    const run = runs[index];
    const gap = run ? run.from - (runs[index - 1]?.from ?? 0) - (runs[index - 1]?.text.length ?? 0) : 0;
    return { value: run?.script === 'word' ? englishValues.get(run.text) : undefined, gap };
  };
  const isTens = (value: number | undefined) => value !== undefined && value >= 20;
  const [own, before, after] = [valueAt(at), valueAt(at - 1), valueAt(at + 1)];
  if (own.value === undefined || own.value < 2) return [];
  if (isTens(before.value) && own.gap === 1 && own.value < 10) return [];
  const hasOnes = isTens(own.value) && after.gap === 1 && after.value !== undefined && after.value < 10;
  const scale = englishScales.get(runs[at + 1]?.text ?? '');
  const last = hasOnes || scale ? at + 1 : at;
  return [
    {
      value: String(own.value * (scale ?? 1) + (hasOnes ? after.value! : 0)),
      start: runs[at]!.start,
      end: runs[last]!.end,
      parts: runs
        .slice(at, last + 1)
        .map(({ text }, index) => ({ run: at + index, from: 0, to: text.length })),
    },
  ];
}
