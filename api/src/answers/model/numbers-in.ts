import { chineseValue, englishValues, valueOfDigits } from '../../text/numerals.ts';
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
      values: [valueOfDigits(run.text, text.slice(run.end)), ...joined],
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
    values.add(String(chineseValue(numeral)));
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+(?:-[a-z]+)?/g)) {
    const [tens = 0, ones = 0] = word.split('-').map((part) => englishValues.get(part) ?? Number.NaN);
    if (!Number.isNaN(tens + ones)) values.add(String(tens + ones));
  }
  return values;
}
