import { describe, expect, test } from '@jest/globals';
import { amountsIn, intervalFit } from './intervals.ts';

const fits = (asked: string, place: string, columns = '') =>
  intervalFit(amountsIn(asked), place, columns) > 0;

describe('amounts that fall into stated intervals', () => {
  test.each([
    ['干了十二年能休多少天', '已满10年不满20年的，年休假10天'],
    ['工作十二年', '工作十年以上不满二十年的，年休假十天'],
    ['工龄3年', '不满5年的每年七天'],
    ['工龄22年', '满20年的，年休假15天'],
    ['裂了，买了三个星期', '签收后30天内可以换货'],
    ['用了18个月', '一至两年的，收取半价'],
    ['等了四个小时', '等待超过两小时的，每小时 80 元'],
    ['等了四个钟头', '等待超过两小时的，每小时 80 元'],
    ['孩子9岁', '14岁以下免票'],
    ['花了1.2万元', '1万元以上3万元以下的，由经理批准'],
    ['1年工龄', '不满一年或者不满2年的五天'],
  ])('%s: %s', (asked, place) => expect(fits(asked, place)).toBe(true));

  test.each([
    ['a 12 kg parcel to Denmark', 'Denmark | 10-15 kg | 28.50'],
    ['a parcel of 18 kilograms', '15–20 kg: 24.00'],
    ['after twelve years of service', '10 to 20 years of service: 25 days'],
    ['with 7 years', 'from 5 up to 10 years'],
    ['1,500 units', 'over 1,000 units'],
    ['two days late', 'work that arrives up to three days late loses 15 points'],
    ['a truck of 4.3 metres', 'Vehicles above 4.2 m cannot pass'],
    ['30 people', 'at least 20 people'],
    ['£250', 'amounts between £100 and £500'],
    ['25 years', '20 years or more: 30 days'],
    ['after 18 months', '1–2 years: half'],
  ])('%s: %s', (asked, place) => expect(fits(asked, place)).toBe(true));

  test('the unit may be in the column', () => {
    expect(fits('a 12 kg parcel', '| 10-15 | 28.50 |', '| Weight (kg) | Price |')).toBe(true);
    expect(fits('a 12 kg parcel', '| 28.50 | 10-15 |', '| Weight (kg) | Days |')).toBe(false);
    expect(fits('干了十二年', '| 10–20 | 10 天 |', '| 工龄（年） | 年休假 |')).toBe(true);
  });

  test.each([
    ['干了十二年', '已满20年的，年休假15天'],
    ['干了十二年', '不满10年的，年休假5天'],
    ['干了二十年', '已满10年不满20年的，年休假10天'],
    ['a 12 kg parcel', 'Denmark | 1-2 kg | 17.25'],
    ['after twelve years', 'less than 10 years: 20 days'],
    ['工作12年', '每满两年加一天'],
    ['工作12年', '满10天的，补贴20元'],
    ['工作12年', '电话 010-2015 0012'],
    ['工作12年', '2010-2020 年度报告'],
    ['头一年', '满一年不满三年的，三天'],
    ['工作多少年', '已满10年不满20年的，年休假10天'],
    ['12 kg', 'the fee is 12 kg times 3'],
  ])('not %s: %s', (asked, place) => expect(fits(asked, place)).toBe(false));

  test('of several with one bound the nearest fits best', () => {
    const fit = (place: string) => intervalFit(amountsIn('12 years of service'), place);
    expect(fit('10 years or more: 25 days')).toBeGreaterThan(fit('1 year or more: 20 days'));
    expect(fit('less than 15 years: 25 days')).toBeGreaterThan(fit('less than 40 years: 35 days'));
    expect(fit('10–20 years: 25 days')).toBe(1);
  });
});
