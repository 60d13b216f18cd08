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

const N = '(?:\\d{1,3}|[零〇一二两三四五六七八九十百]{1,4})';
const M = '(?:\\d{1,2}|十[一二]?|[一二三四五六七八九])';
const D = '(?:\\d{1,2}|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])';
const YEAR = '(?:\\d{4}年|今年|去年|前年|明年)';
const WEEKDAY = '[一二三四五六日天]';
const TO = '\\s*(?:至|到|~|～|—|–|-)\\s*';

/** One day: 今天, 7月1日, 去年7月1日, 2026年7月1日, 上周三, 星期三, 2026-07-01, 7/1. `p` is the prefix of its group names. */
const day = (p: string) =>
  [
    `(?<${p}word>今天|今日|昨天|昨日|前天|前日|大前天|明天)`,
    `(?:(?<${p}year>${YEAR})\\s*)?(?<${p}month>${M})\\s*月\\s*(?<${p}date>${D})\\s*[日号]`,
    `(?<${p}week>上上|上|这|本|下)?个?(?:周|星期|礼拜)(?<${p}weekday>${WEEKDAY})`,
    `(?<${p}iy>\\d{4})(?<${p}is>[-/.])(?<${p}im>\\d{1,2})\\k<${p}is>(?<${p}id>\\d{1,2})`,
    `(?<${p}sm>\\d{1,2})/(?<${p}sd>\\d{1,2})`,
  ].join('|');

/** Patterns of dates in Chinese and in digits. Weeks begin on Monday; a period that is not over ends today. */
export const chineseDates: DateRule[] = [
  rule(day('a_'), (groups, today) => single(readDay(groups, 'a_', today))),
  // 7月1日到15日, 7月1日至8月3日, 昨天到今天, 2026-07-01~2026-07-15
  rule(`(?:从\\s*)?(?:${day('a_')})${TO}(?:${day('b_')}|(?<only>${D})\\s*[日号])`, (groups, today) => {
    const from = readDay(groups, 'a_', today);
    if (!from) return undefined;
    const only = groups.only && dayFrom(yearOf(from), monthOf(from), numberOf(groups.only));
    return rangeOf(from, only || readDay(groups, 'b_', today, from));
  }),
  // 7月1-15日
  rule(
    `(?:(?<year>${YEAR})\\s*)?(?<month>${M})月(?<first>${D})[日号]?${TO}(?<last>${D})[日号]`,
    (groups, today) => {
      const at = monthAt(groups.year, groups.month, today);
      const [from, to] = [groups.first, groups.last].map((date) =>
        dayFrom(at.year, at.month, numberOf(date)),
      );
      return rangeOf(from, to);
    },
  ),
  // 昨天以来, 7月1日起, 7月15日之前
  rule(`(?:自|从)?\\s*(?:${day('a_')})\\s*(?:起|以来|之后|以后|开始|至今|到现在)`, (groups, today) =>
    openRange(readDay(groups, 'a_', today), 'from'),
  ),
  rule(`(?:截至|截止到?)\\s*(?:${day('a_')})|(?:${day('b_')})\\s*(?:为止|止|以前)`, (groups, today) =>
    openRange(readDay(groups, 'a_', today) ?? readDay(groups, 'b_', today), 'to'),
  ),
  rule(`(?:${day('a_')})\\s*(?:之前|前)`, (groups, today) => {
    const before = readDay(groups, 'a_', today);
    return before ? openRange(addDays(before, -1), 'to') : undefined;
  }),
  // 上周, 上个星期, 本周, 上上周
  rule('(?<which>上上|上|这|本)(?:个)?(?:周|星期|礼拜)', ({ which }, today) => {
    const back = { 上上: -2, 上: -1 }[which ?? ''] ?? 0;
    return upToNow(startOfWeek(today, back), addDays(startOfWeek(today, back + 1), -1), today);
  }),
  // 上个月, 本月, 7月, 2026年7月, 去年12月
  rule('(?<which>上上|上|这|本|当)个?月', ({ which }, today) => {
    const first = startOfMonth(today, { 上上: -2, 上: -1 }[which ?? ''] ?? 0);
    return upToNow(first, endOfMonth(first), today);
  }),
  rule(`(?:(?<year>${YEAR})\\s*)?(?<month>${M})月(?:份)?`, (groups, today) => {
    const at = monthAt(groups.year, groups.month, today);
    const first = dayFrom(at.year, at.month, 1);
    return first ? upToNow(first, endOfMonth(first), today) : undefined;
  }),
  rule(`(?<year>${YEAR})`, ({ year }, today) => {
    const is = yearFrom(year, today);
    return upToNow(dayFrom(is, 1, 1), dayFrom(is, 12, 31), today);
  }),
  // 近7天, 最近一周, 过去三个月, 最近半年
  rule(
    `(?:最近|近|过去|前)\\s*(?:(?<count>${N})\\s*(?<unit>天|日|周|个?星期|个?月|年)|(?<half>半)(?<halfUnit>个?月|年))(?:内|里|以来)?`,
    ({ count, unit = '', half, halfUnit = '' }, today) => {
      const number = half ? 1 : numberOf(count);
      if (!number) return undefined;
      if (half) return { from: halfUnit === '年' ? monthsBack(today, 6) : addDays(today, -14), to: today };
      if (/[天日]/.test(unit)) return { from: addDays(today, 1 - number), to: today };
      if (/周|星期/.test(unit)) return { from: addDays(today, 1 - 7 * number), to: today };
      return { from: monthsBack(today, unit === '年' ? 12 * number : number), to: today };
    },
  ),
  // 2026-07, and 20260701
  rule('(?<year>\\d{4})[-/.](?<month>\\d{1,2})', ({ year, month }, today) => {
    const first = dayFrom(Number(year), Number(month), 1);
    return first && isLikelyYear(year, today) ? { from: first, to: endOfMonth(first) } : undefined;
  }),
  rule('(?<year>\\d{4})(?<month>\\d\\d)(?<date>\\d\\d)', ({ year, month, date }, today) =>
    isLikelyYear(year, today) ? single(dayFrom(Number(year), Number(month), Number(date))) : undefined,
  ),
];

/** The number of 15, 十五 or 二十; 0 if there is none. */
export function numberOf(text: string | undefined): number {
  if (!text) return 0;
  if (/^\d+$/.test(text)) return Number(text);
  const digit = (character: string | undefined) => '零一二三四五六七八九'.indexOf(character ?? '') % 10;
  const plain = text.replaceAll('两', '二').replaceAll('〇', '零');
  const [, hundreds = '', tens = '', ones = ''] = /^(?:(.)百)?零?(?:(.?)十)?(.)?$/.exec(plain) ?? [];
  const ten = plain.includes('十') ? digit(tens || '一') * 10 : 0;
  const one = ones ? digit(ones) : 0;
  const value = (plain.includes('百') ? digit(hundreds) * 100 : 0) + ten + one;
  return Math.max(value, 0);
}

function readDay(groups: Groups, p: string, today: Day, after?: Day): Day | undefined {
  const of = (name: string) => groups[`${p}${name}`];
  const word = of('word');
  if (word) return addDays(today, { 昨: -1, 前: -2, 大: -3, 明: 1 }[word[0] ?? ''] ?? 0);
  if (of('iy')) return dayFrom(Number(of('iy')), Number(of('im')), Number(of('id')));
  if (of('weekday')) {
    const weekday = '一二三四五六日'.indexOf(of('weekday')!.replace('天', '日'));
    const weeks = { 上上: -2, 上: -1, 下: 1 }[of('week') ?? ''] ?? 0;
    const found = addDays(startOfWeek(today, weeks), weekday);
    // A weekday without a week means the most recent one.
    return of('week') || found <= today ? found : addDays(found, -7);
  }
  const month = of('month') ?? of('sm');
  if (!month) return undefined;
  const at =
    after && !of('year')
      ? { year: yearOf(after), month: numberOf(month) }
      : monthAt(of('year'), month, today);
  return dayFrom(at.year, at.month, numberOf(of('date') ?? of('sd')));
}

/** A month without a year means the most recent one. */
function monthAt(year: string | undefined, month: string | undefined, today: Day) {
  const number = numberOf(month);
  if (year) return { year: yearFrom(year, today), month: number };
  return { year: yearOf(today) - (number > monthOf(today) ? 1 : 0), month: number };
}

function yearFrom(text: string | undefined, today: Day): number {
  const named = { 今年: 0, 去年: -1, 前年: -2, 明年: 1 }[text ?? ''];
  return named === undefined ? Number.parseInt(text ?? '', 10) : yearOf(today) + named;
}

function isLikelyYear(year: string | undefined, today: Day): boolean {
  return Number(year) >= 1990 && Number(year) <= yearOf(today) + 1;
}
