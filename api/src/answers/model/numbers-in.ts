import { runsOf } from '../../text/terms.ts';

/** A number in digits. `values` are its ways to be written: the value, and the digits of the whole telephone number or date that it is part of. */
export interface FoundNumber {
  start: number;
  end: number;
  values: readonly string[];
}

/** Numbers written with these separators belong together. */
const joint = /^(?:[ \-–—./]|[ -]?\(|\)[ -]?)$/;

/** The numbers of a text that are written in digits. */
export function numbersIn(text: string): FoundNumber[] {
  const runs = runsOf(text).filter(({ script }) => script === 'number');
  const groups: (typeof runs)[] = [];
  for (const run of runs) {
    const before = groups.at(-1)?.at(-1);
    if (before && joint.test(text.slice(before.end, run.start))) groups.at(-1)!.push(run);
    else groups.push([run]);
  }
  return groups.flatMap((group) => {
    const digits = group.map((run) => run.text.replace(/\D/g, '')).join('');
    const joined = digits.length >= minJoined ? [`#${digits}`] : [];
    return group.map((run) => ({
      start: run.start,
      end: run.end + (percent.exec(text.slice(run.end))?.[0].length ?? 0),
      values: [numberOf(run.text, text.slice(run.end)), ...joined],
    }));
  });
}

const percent = /^[%％‰]/;
/** Minimum number of digits of a telephone number. */
const minJoined = 7;

/** All values that a text says, also those in words and Chinese numerals. */
export function numberValues(text: string): Set<string> {
  const values = new Set(numbersIn(text).flatMap((one) => one.values));
  for (const [numeral] of text.matchAll(/[〇零一二两三四五六七八九十百千万亿]+/g))
    values.add(String(valueOfChinese(numeral)));
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+(?:-[a-z]+)?/g)) {
    const [tens = 0, ones = 0] = word.split('-').map((part) => english.get(part) ?? Number.NaN);
    if (!Number.isNaN(tens + ones)) values.add(String(tens + ones));
  }
  return values;
}

const scales: readonly [RegExp, number][] = [
  [/^\s*(?:万亿|trillion\b)/i, 1e12],
  [/^\s*(?:billion|bn)\b/i, 1e9],
  [/^\s*亿/, 1e8],
  [/^\s*(?:million|mn)\b/i, 1e6],
  [/^\s*万/, 1e4],
  [/^(?:\s*thousand|k)\b|^\s*千(?![克瓦米卡])/i, 1e3],
];

/** 1,200.50 and 1200.5, 03 and 3, 1.5万 and 15000 are the same. */
function numberOf(digits: string, after: string): string {
  const plain = digits.replace(/,(?=\d{3}(?!\d))/g, '');
  const value = Number(plain);
  // Several points or commas: a version, an address or a list.
  if (Number.isNaN(value) || !Number.isSafeInteger(Math.trunc(value))) return plain;
  const scale = scales.find(([unit]) => unit.test(after))?.[1] ?? 1;
  return String(Number((value * scale).toPrecision(15)));
}

const chineseDigits = '零一二三四五六七八九';
const chineseUnits = new Map([...'十百千万亿'].map((unit, at) => [unit, [10, 100, 1e3, 1e4, 1e8][at]!]));

/** 二十三, 一百零五, 三万, and 二〇二四 digit by digit. */
function valueOfChinese(numeral: string): number {
  const folded = numeral.replaceAll('〇', '零').replaceAll('两', '二');
  if (!/[十百千万亿]/.test(folded))
    return Number([...folded].map((one) => chineseDigits.indexOf(one)).join(''));
  let total = 0;
  let section = 0;
  let digit = 0;
  for (const one of folded) {
    const unit = chineseUnits.get(one);
    if (unit === undefined) digit = chineseDigits.indexOf(one);
    else if (unit < 1e4) {
      section += (digit || 1) * unit;
      digit = 0;
    } else {
      total = (total + section + digit || 1) * unit;
      [section, digit] = [0, 0];
    }
  }
  return total + section + digit;
}

const english: ReadonlyMap<string, number> = new Map(
  [
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
    'twenty thirty forty fifty sixty seventy eighty ninety',
  ].flatMap((words, at) =>
    words.split(' ').map((word, index) => [word, at === 0 ? index : 20 + 10 * index] as const),
  ),
);
