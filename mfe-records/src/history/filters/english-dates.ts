import {
  addDays,
  type DateRule,
  type Day,
  dayFrom,
  endOfMonth,
  type Groups,
  monthOf,
  monthsBack,
  openRange,
  rangeOf,
  dateRule as rule,
  single,
  startOfMonth,
  startOfWeek,
  upToNow,
  yearOf,
} from './days.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const NUMBERS = 'a two three four five six seven eight nine ten eleven twelve'.split(' ');

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const WEEKDAY = '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?';
const DATE = '\\d{1,2}(?:st|nd|rd|th)?';
const YEAR = '(?:,?\\s*\\d{4})';
const TO = '\\s*(?:to|until|till|through|-|–|—)\\s*';

/** One day: yesterday, Monday, last Friday, July 1, 1 July 2026, 2026-07-01. `p` is the prefix of its group names. */
const day = (p: string) =>
  [
    `(?<${p}word>today|yesterday|tomorrow|the day before yesterday)`,
    `(?<${p}which>last|this|past)?\\s*(?<${p}weekday>${WEEKDAY})`,
    `(?<${p}month>${MONTH})\\s*(?<${p}date>${DATE})(?<${p}year>${YEAR})?(?!\\d)`,
    `(?<${p}date2>${DATE})\\s+(?:of\\s+)?(?<${p}month2>${MONTH})(?<${p}year2>${YEAR})?`,
    `(?<${p}iy>\\d{4})-(?<${p}im>\\d{1,2})-(?<${p}id>\\d{1,2})`,
  ].join('|');

/** Patterns of dates in English, in lower case. Weeks begin on Monday; a period that is not over ends today. */
export const englishDates: DateRule[] = [
  // A single weekday or month may also be an ordinary word or a name (May, Sun), so that it needs a preposition.
  rule(`(?:on\\s+)?(?:${day('a_')})`, (groups, today) => {
    const found = readDay(groups, 'a_', today);
    return groups.a_weekday && isShort(groups.a_weekday) && !groups.a_which ? undefined : single(found);
  }),
  rule(`(?:from\\s+|between\\s+)?(?:${day('a_')})(?:${TO}|\\s+and\\s+)(?:${day('b_')})`, (groups, today) =>
    rangeOf(readDay(groups, 'a_', today), readDay(groups, 'b_', today)),
  ),
  // July 1–15, 1 to 15 July 2026
  rule(
    `(?:from\\s+)?(?<month>${MONTH})\\s*(?<first>${DATE})${TO}(?<last>${DATE})(?<year>${YEAR})?(?!\\d)`,
    within,
  ),
  rule(`(?:from\\s+)?(?<first>${DATE})${TO}(?<last>${DATE})\\s+(?<month>${MONTH})(?<year>${YEAR})?`, within),
  rule(`(?:since|from|starting|after)\\s+(?:${day('a_')})(?:\\s+on)?`, (groups, today) =>
    openRange(readDay(groups, 'a_', today), 'from'),
  ),
  rule(`(?:until|till|up to|through)\\s+(?:${day('a_')})`, (groups, today) =>
    openRange(readDay(groups, 'a_', today), 'to'),
  ),
  rule(`before\\s+(?:${day('a_')})`, (groups, today) => {
    const found = readDay(groups, 'a_', today);
    return openRange(found && addDays(found, -1), 'to');
  }),
  rule('(?<which>last|previous|this)\\s+(?<unit>week|month|year)', ({ which, unit }, today) => {
    const back = which === 'this' ? 0 : -1;
    if (unit === 'week') {
      const from = startOfWeek(today, back);
      return upToNow(from, addDays(startOfWeek(today, back + 1), -1), today);
    }
    const first = unit === 'month' ? startOfMonth(today, back) : dayFrom(yearOf(today) + back, 1, 1);
    if (!first) return undefined;
    return upToNow(first, unit === 'month' ? endOfMonth(first) : `${first.slice(0, 4)}-12-31`, today);
  }),
  rule(
    `(?:in\\s+)?(?:the\\s+)?(?:last|past|previous)\\s+(?<count>\\d{1,3}|${NUMBERS.slice(1).join('|')})\\s+(?<unit>day|week|month|year)s?`,
    (groups, today) => back(groups, today),
  ),
  rule('(?:in\\s+)?(?:the\\s+)?past\\s+(?<unit>day|week|month|year)', (groups, today) => back(groups, today)),
  rule('since\\s+(?<which>last|this)\\s+(?<unit>week|month|year)', ({ which, unit }, today) => {
    const back = which === 'this' ? 0 : -1;
    if (unit === 'week') return { from: startOfWeek(today, back), to: '' };
    return openRange(
      unit === 'month' ? startOfMonth(today, back) : dayFrom(yearOf(today) + back, 1, 1),
      'from',
    );
  }),
  // July 2026, in July, last July
  rule(`(?:in\\s+)?(?<month>${MONTH})(?:\\s+of)?\\s+(?<year>\\d{4})`, ({ month, year }, today) =>
    wholeMonth(Number(year), month, today),
  ),
  rule(`(?:in|last|during)\\s+(?<month>${MONTH})`, ({ month }, today) => {
    const number = monthFrom(month);
    return wholeMonth(yearOf(today) - (number > monthOf(today) ? 1 : 0), month, today);
  }),
  rule('(?:in|during)\\s+(?<year>(?:19|20)\\d\\d)', ({ year }, today) =>
    upToNow(`${year}-01-01`, `${year}-12-31`, today),
  ),
];

function readDay(groups: Groups, p: string, today: Day): Day | undefined {
  const of = (name: string) => groups[`${p}${name}`];
  const word = of('word');
  if (word) return addDays(today, { today: 0, yesterday: -1, tomorrow: 1 }[word] ?? -2);
  if (of('iy')) return dayFrom(Number(of('iy')), Number(of('im')), Number(of('id')));
  if (of('weekday')) {
    const weekday = WEEKDAYS.indexOf(of('weekday')!.slice(0, 3));
    const thisWeek = addDays(startOfWeek(today), weekday);
    if (of('which') === 'this') return thisWeek;
    // "Last Friday" is before today; "Monday" may be today.
    const isPast = of('which') ? thisWeek < today : thisWeek <= today;
    return isPast ? thisWeek : addDays(thisWeek, -7);
  }
  const month = of('month') ?? of('month2');
  if (!month) return undefined;
  return dayFrom(
    yearFor(of('year') ?? of('year2'), monthFrom(month), today),
    monthFrom(month),
    Number.parseInt(of('date') ?? of('date2') ?? '', 10),
  );
}

function within({ month, first, last, year }: Groups, today: Day) {
  const number = monthFrom(month);
  const [from, to] = [first, last].map((date) =>
    dayFrom(yearFor(year, number, today), number, Number.parseInt(date ?? '', 10)),
  );
  return rangeOf(from, to);
}

function back({ count, unit }: Groups, today: Day) {
  const number = count === undefined ? 1 : NUMBERS.indexOf(count) + 1 || Number(count);
  if (!number) return undefined;
  if (unit === 'day' || unit === 'week')
    return { from: addDays(today, 1 - number * (unit === 'day' ? 1 : 7)), to: today };
  return { from: monthsBack(today, number * (unit === 'month' ? 1 : 12)), to: today };
}

function wholeMonth(year: number, month: string | undefined, today: Day) {
  const first = dayFrom(year, monthFrom(month), 1);
  return upToNow(first, first && endOfMonth(first), today);
}

/** A month without a year means the most recent one. */
function yearFor(year: string | undefined, month: number, today: Day): number {
  if (year) return Number(/\d{4}/.exec(year)?.[0]);
  return yearOf(today) - (month > monthOf(today) ? 1 : 0);
}

function monthFrom(name: string | undefined): number {
  return MONTHS.indexOf(name?.slice(0, 3) ?? '') + 1;
}

/** Abbreviations such as sun and sat are also ordinary words. */
function isShort(weekday: string): boolean {
  return !weekday.endsWith('day');
}
