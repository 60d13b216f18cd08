import type { Day } from './days.ts';

/** Days from one to another, both inclusive; '' is open. */
export interface Days {
  from: Day;
  to: Day;
}

type Groups = Record<string, string | undefined>;

/** A way of saying dates: what it looks like, and what it means on `today`; undefined when it means no days after all. */
export interface DateRule {
  pattern: RegExp;
  read(groups: Groups, today: Day): Days | undefined;
}

/** What was said is a piece of its own: between spaces or punctuation marks. 的 and ’s may follow at once. */
const BEFORE = '(?<=^|[\\s,，、;；:：(（])';
const BEHIND = "(?=$|[\\s,，、;；:：)）。!！?？]|\\.(?:\\s|$)|的(?=\\S)|['’]s(?:\\s|$))";

/** @param pattern Of text in lower case, see `findDate`. */
export function dateRule(pattern: string, read: DateRule['read']): DateRule {
  return { pattern: new RegExp(`${BEFORE}(?:${pattern})${BEHIND}`, 'gu'), read };
}
