import { describe, expect, test } from '@jest/globals';
import { numberOf } from './chinese-dates.ts';
import { addDays } from './days.ts';
import { recogniseFilters, takeOut } from './recognise-filters.ts';

/** A Saturday, late in the evening in Shanghai. */
const NOW = new Date('2026-11-21T15:30:00Z');
const read = (text: string, plain?: string[]) =>
  recogniseFilters(text, { now: NOW, timeZone: 'Asia/Shanghai', ...(plain && { plain }) });

describe('dates', () => {
  test.each([
    ['今天', '2026-11-21', '2026-11-21'],
    ['昨天', '2026-11-20', '2026-11-20'],
    ['前天', '2026-11-19', '2026-11-19'],
    ['大前天', '2026-11-18', '2026-11-18'],
    ['本周', '2026-11-16', '2026-11-21'],
    ['这周', '2026-11-16', '2026-11-21'],
    ['上周', '2026-11-09', '2026-11-15'],
    ['上星期', '2026-11-09', '2026-11-15'],
    ['上个礼拜', '2026-11-09', '2026-11-15'],
    ['上上周', '2026-11-02', '2026-11-08'],
    ['上周三', '2026-11-11', '2026-11-11'],
    ['周三', '2026-11-18', '2026-11-18'],
    ['星期天', '2026-11-15', '2026-11-15'],
    ['本月', '2026-11-01', '2026-11-21'],
    ['这个月', '2026-11-01', '2026-11-21'],
    ['上月', '2026-10-01', '2026-10-31'],
    ['上个月', '2026-10-01', '2026-10-31'],
    ['今年', '2026-01-01', '2026-11-21'],
    ['去年', '2025-01-01', '2025-12-31'],
    ['前年', '2024-01-01', '2024-12-31'],
    ['2024年', '2024-01-01', '2024-12-31'],
    ['7月', '2026-07-01', '2026-07-31'],
    ['七月份', '2026-07-01', '2026-07-31'],
    ['12月', '2025-12-01', '2025-12-31'],
    ['十一月', '2026-11-01', '2026-11-21'],
    ['去年2月', '2025-02-01', '2025-02-28'],
    ['2024年2月', '2024-02-01', '2024-02-29'],
    ['7月1日', '2026-07-01', '2026-07-01'],
    ['7 月 1 号', '2026-07-01', '2026-07-01'],
    ['十二月二十五日', '2025-12-25', '2025-12-25'],
    ['2026年7月1日', '2026-07-01', '2026-07-01'],
    ['去年7月1日', '2025-07-01', '2025-07-01'],
    ['7月1日到15日', '2026-07-01', '2026-07-15'],
    ['7月1-15日', '2026-07-01', '2026-07-15'],
    ['7月1日至8月3日', '2026-07-01', '2026-08-03'],
    ['从7月1日到8月3日', '2026-07-01', '2026-08-03'],
    ['2025年12月30日到2026年1月2日', '2025-12-30', '2026-01-02'],
    ['上周三到今天', '2026-11-11', '2026-11-21'],
    ['昨天到今天', '2026-11-20', '2026-11-21'],
    ['近7天', '2026-11-15', '2026-11-21'],
    ['最近三天', '2026-11-19', '2026-11-21'],
    ['过去两周', '2026-11-08', '2026-11-21'],
    ['近一个月', '2026-10-22', '2026-11-21'],
    ['最近半年', '2026-05-22', '2026-11-21'],
    ['最近三十天', '2026-10-23', '2026-11-21'],
    ['7月1日起', '2026-07-01', ''],
    ['昨天以来', '2026-11-20', ''],
    ['截至7月15日', '', '2026-07-15'],
    ['7月15日之前', '', '2026-07-14'],
    ['2026-07-01', '2026-07-01', '2026-07-01'],
    ['2026/7/1', '2026-07-01', '2026-07-01'],
    ['2026.07.01', '2026-07-01', '2026-07-01'],
    ['２０２６－０７－０１', '2026-07-01', '2026-07-01'],
    ['20260701', '2026-07-01', '2026-07-01'],
    ['2026-07', '2026-07-01', '2026-07-31'],
    ['7/1', '2026-07-01', '2026-07-01'],
    ['2026-07-01~2026-07-15', '2026-07-01', '2026-07-15'],
    ['2026-07-01 到 2026-07-15', '2026-07-01', '2026-07-15'],
    ['today', '2026-11-21', '2026-11-21'],
    ['Yesterday', '2026-11-20', '2026-11-20'],
    ['the day before yesterday', '2026-11-19', '2026-11-19'],
    ['last week', '2026-11-09', '2026-11-15'],
    ['this week', '2026-11-16', '2026-11-21'],
    ['Last Month', '2026-10-01', '2026-10-31'],
    ['this month', '2026-11-01', '2026-11-21'],
    ['last year', '2025-01-01', '2025-12-31'],
    ['this year', '2026-01-01', '2026-11-21'],
    ['Monday', '2026-11-16', '2026-11-16'],
    ['on Saturday', '2026-11-21', '2026-11-21'],
    ['last Saturday', '2026-11-14', '2026-11-14'],
    ['last Fri', '2026-11-20', '2026-11-20'],
    ['since Monday', '2026-11-16', ''],
    ['since last week', '2026-11-09', ''],
    ['since July 1', '2026-07-01', ''],
    ['until July 15', '', '2026-07-15'],
    ['before July 15', '', '2026-07-14'],
    ['last 7 days', '2026-11-15', '2026-11-21'],
    ['the past three months', '2026-08-22', '2026-11-21'],
    ['past week', '2026-11-15', '2026-11-21'],
    ['July 1', '2026-07-01', '2026-07-01'],
    ['1st July', '2026-07-01', '2026-07-01'],
    ['July 1, 2024', '2024-07-01', '2024-07-01'],
    ['Dec 25', '2025-12-25', '2025-12-25'],
    ['July 1–15', '2026-07-01', '2026-07-15'],
    ['1 to 15 July', '2026-07-01', '2026-07-15'],
    ['from July 1 to August 3', '2026-07-01', '2026-08-03'],
    ['between Jul 1 and Jul 15', '2026-07-01', '2026-07-15'],
    ['July 2024', '2024-07-01', '2024-07-31'],
    ['in July', '2026-07-01', '2026-07-31'],
    ['in 2024', '2024-01-01', '2024-12-31'],
  ])('%s', (text, from, to) => {
    expect(read(text)).toMatchObject({ text: '', dates: { typed: text, from, to } });
    expect(read(`退款 ${text} API`)).toMatchObject({ text: '退款 API', dates: { from, to } });
  });

  test.each([
    '退款',
    '五月天演唱会',
    '今天天气',
    '上周末的活动',
    '13800138000',
    '2026',
    '99999999',
    '20261345',
    '13月',
    '2月30日',
    '2026-02-30',
    '24/7',
    '三个月',
    'may',
    'March madness',
    'sun sat',
    'may I refund',
    'weekly report',
    'lastweek',
    'API v2026.07.01-beta',
    '周',
    '7月15日到1日',
    '',
    '   ',
  ])('%s is no date', (text) => {
    expect(read(text)).toMatchObject({ text: text.trim().replace(/\s+/g, ' '), dates: null });
  });

  test('removes the word that connects a date with the following text', () => {
    expect(read('上周的退款')).toMatchObject({ text: '退款', dates: { typed: '上周' } });
    expect(read('yesterday’s refunds')).toMatchObject({ text: 'refunds', dates: { typed: 'yesterday' } });
  });

  test('ignores text in quotation marks', () => {
    for (const quoted of ['“上周”', '"last week"', '「昨天」', '『今年』'])
      expect(read(`${quoted} 退款`)).toMatchObject({ text: `${quoted} 退款`, dates: null });
    expect(read('“上周” 昨天')).toMatchObject({ text: '“上周”', dates: { typed: '昨天' } });
  });

  test('reads only the first dates', () => {
    expect(read('昨天 退款 上周')).toMatchObject({ text: '退款 上周', dates: { typed: '昨天' } });
  });

  test('does not recognise words that were marked as plain text', () => {
    expect(read('上周 退款', ['上周'])).toMatchObject({ text: '上周 退款', dates: null });
    expect(read('上周 昨天', ['上周'])).toMatchObject({ text: '上周', dates: { typed: '昨天' } });
  });

  test('uses today’s date in the time zone', () => {
    const late = new Date('2026-11-21T16:30:00Z');
    const dates = (timeZone: string) => recogniseFilters('今天', { now: late, timeZone }).dates?.from;
    expect([dates('Asia/Shanghai'), dates('America/New_York')]).toEqual(['2026-11-22', '2026-11-21']);
  });

  test('handles months of different lengths', () => {
    const on = (day: string, text: string) =>
      recogniseFilters(text, { now: new Date(`${day}T12:00:00Z`), timeZone: 'UTC' }).dates;
    expect(on('2026-03-31', '近一个月')).toMatchObject({ from: '2026-03-01', to: '2026-03-31' });
    expect(on('2026-03-30', 'last two months')).toMatchObject({ from: '2026-01-31', to: '2026-03-30' });
    expect(on('2024-02-29', '近一年')).toMatchObject({ from: '2023-03-01', to: '2024-02-29' });
  });

  test('returned days exist and are in order', () => {
    for (let back = 0; back < 800; back += 1) {
      const now = new Date(`${addDays('2026-12-31', -back)}T12:00:00Z`);
      for (const text of [
        '上周',
        '本月',
        '周三',
        '12月',
        'last month',
        'this week',
        'last Friday',
        '近一个月',
      ]) {
        const { dates } = recogniseFilters(text, { now, timeZone: 'UTC' });
        expect(dates!.from <= dates!.to).toBe(true);
        expect(dates!.to <= now.toISOString().slice(0, 10)).toBe(true);
      }
    }
  });
});

test('reads Chinese numerals', () => {
  const numbers = ['一', '两', '十', '十二', '二十', '三十一', '一百', '一百零五', '三百六十五', '15', '天'];
  expect(numbers.map(numberOf)).toEqual([1, 2, 10, 12, 20, 31, 100, 105, 365, 15, 0]);
});

describe('returns words that may be a contact', () => {
  test.each([
    ['上周 张三 退款', ['张三', '退款']],
    ['Anna Berg refund', ['Anna Berg refund', 'Anna Berg', 'Berg refund', 'Anna', 'Berg', 'refund']],
    ['138 0013 8000', ['138 0013 8000', '138 0013', '0013 8000', '138', '0013', '8000']],
    ['“张三” 退款', ['退款']],
    ['dev@northwind.cn', ['dev@northwind.cn']],
    ['', []],
  ])('%s', (text, candidates) => {
    expect(read(text).candidates).toEqual(candidates);
  });

  test('leaves out words marked as plain text', () => {
    expect(read('张三 退款', ['张三']).candidates).toEqual(['退款']);
  });
});

test('removes words only where they are separate', () => {
  expect(takeOut('张三丰 张三 退款', '张三')).toBe('张三丰 退款');
  expect(takeOut('“张三” 退款', '张三')).toBe('“张三” 退款');
  expect(takeOut('a (b) c', '(b)')).toBe('a c');
});
