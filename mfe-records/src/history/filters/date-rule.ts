import type { Day } from './days.ts';

/** Range of days, both inclusive; '' for an open end. */
export interface Days {
  from: Day;
  to: Day;
}

type Groups = Record<string, string | undefined>;

/** A pattern of date expressions, and their meaning on `today`; undefined if the expression is not a valid date. */
export interface DateRule {
  pattern: RegExp;
  read(groups: Groups, today: Day): Days | undefined;
}

/** A date expression must be delimited by spaces or punctuation. 的 and ’s may follow directly. */
const BEFORE = '(?<=^|[\\s,，、;；:：(（])';
const BEHIND = "(?=$|[\\s,，、;；:：)）。!！?？]|\\.(?:\\s|$)|的(?=\\S)|['’]s(?:\\s|$))";

/** @param pattern For text in lower case, see `findDate`. */
export function dateRule(pattern: string, read: DateRule['read']): DateRule {
  return { pattern: new RegExp(`${BEFORE}(?:${pattern})${BEHIND}`, 'gu'), read };
}
