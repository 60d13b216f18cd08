import { fold } from '../../text/fold.ts';
import { chineseValue, englishValues, valueOfDigits } from '../../text/numerals.ts';
import { cellsOf } from '../index/structure.ts';

/** A number with a unit, converted to the smallest unit of its dimension: two years are 24 months. */
export interface Amount {
  value: number;
  dimension: string;
}

/** Units by dimension. `factor` converts to the smallest unit of the dimension. */
const units: readonly { dimension: string; factor: number; words: RegExp }[] = [
  { dimension: 'months', factor: 12, words: /^(?:年(?!度|级|代)|years?\b|yrs?\b)/ },
  { dimension: 'months', factor: 1, words: /^(?:个月|月(?!\d)|months?\b)/ },
  { dimension: 'days', factor: 7, words: /^(?:周(?!岁)|星期|礼拜|weeks?\b)/ },
  {
    dimension: 'days',
    factor: 1,
    words: /^(?:个?(?:工作日|自然日)|[天日]|(?:working |calendar |business )?days?\b)/,
  },
  { dimension: 'minutes', factor: 60, words: /^(?:小时|钟头|hours?\b|hrs?\b)/ },
  { dimension: 'minutes', factor: 1, words: /^(?:分钟|minutes?\b|mins?\b)/ },
  { dimension: 'age', factor: 1, words: /^周?岁/ },
  { dimension: 'grams', factor: 1000, words: /^(?:公斤|千克|kg\b|kilo(?:gram)?s?\b)/ },
  { dimension: 'grams', factor: 500, words: /^斤/ },
  { dimension: 'grams', factor: 1, words: /^(?:克|g\b|grams?\b)/ },
  { dimension: 'millimetres', factor: 1e6, words: /^(?:公里|千米|km\b|kilomet(?:re|er)s?\b)/ },
  { dimension: 'millimetres', factor: 1000, words: /^(?:米|m\b|met(?:re|er)s?\b)/ },
  { dimension: 'millimetres', factor: 10, words: /^(?:厘米|cm\b)/ },
  { dimension: 'millimetres', factor: 1, words: /^(?:毫米|mm\b)/ },
  { dimension: 'litres', factor: 1, words: /^(?:升|l\b|lit(?:re|er)s?\b)/ },
  { dimension: 'miles', factor: 1, words: /^miles?\b/ },
  { dimension: 'percent', factor: 1, words: /^(?:%|percent\b|per cent\b)/ },
  { dimension: 'yuan', factor: 1, words: /^(?:元|块|yuan\b|rmb\b)/ },
  { dimension: 'pounds', factor: 1, words: /^(?:pounds?\b|gbp\b)/ },
  { dimension: 'euros', factor: 1, words: /^(?:euros?\b|eur\b|€)/ },
  { dimension: 'dollars', factor: 1, words: /^(?:美元|dollars?\b|usd\b)/ },
  {
    dimension: 'people',
    factor: 1,
    words: /^(?:[人名位]|people\b|persons?\b|guests?\b|employees\b|members\b|users\b)/,
  },
  { dimension: 'pieces', factor: 1, words: /^(?:[件个本册台份箱]|pieces?\b|items?\b|units?\b|copies\b)/ },
];
const currencies = new Map([
  ['¥', 'yuan'],
  ['£', 'pounds'],
  ['€', 'euros'],
  ['$', 'dollars'],
]);

const englishNumbers = [...englishValues.keys()].join('|');
const written = new RegExp(
  `(?<sign>[¥£€$])?\\s?(?<digits>\\d[\\d,]*(?:\\.\\d+)?)(?<scale>[万千]|k\\b)?|(?<chinese>[〇零一二两三四五六七八九十百千万]+)|\\b(?<english>${englishNumbers})\\b`,
  'g',
);

const beforeAnother = /^\s?(?:[-–—~～至到]|to)\s?[\d二两三四五六七八九十a-z]/;

/** A number in a text. */
interface Stated {
  value: number;
  unit: { dimension: string; factor: number } | null;
  start: number;
  end: number;
  /** Whether it is written 一. */
  isOne: boolean;
}

/** The numbers of a folded text, with the units that follow them. */
function numbersIn(text: string): Stated[] {
  return [...text.matchAll(written)].flatMap((found): Stated[] => {
    const { sign, digits, scale = '', chinese, english } = found.groups!;
    const after = found.index + found[0].length;
    const rest = text.slice(after);
    const [gap] = /^[ -]?个?(?=.)/.exec(rest) ?? [''];
    const currency = sign === undefined ? undefined : currencies.get(sign);
    const unit = currency
      ? { dimension: currency, factor: 1, length: 0 }
      : (unitAt(rest, gap.length) ?? unitAt(rest, gap.replace('个', '').length));
    // A number in words without a unit is mostly part of another word, except before another number (一至两年).
    if (digits === undefined && !unit && !beforeAnother.test(rest)) return [];
    const value = digits
      ? Number(valueOfDigits(digits, scale))
      : chinese
        ? chineseValue(chinese)
        : englishValues.get(english!)!;
    if (!Number.isFinite(value)) return [];
    const end = after + (unit?.length ?? 0);
    return [{ value, unit: unit ?? null, start: found.index, end, isOne: chinese === '一' }];
  });
}

/** The unit at this position; `length` is the distance of its end from the beginning of `rest`. */
function unitAt(rest: string, from: number) {
  const here = rest.slice(from);
  for (const { dimension, factor, words } of units) {
    const length = words.exec(here)?.[0].length;
    if (length !== undefined) return { dimension, factor, length: from + length };
  }
  return undefined;
}

/** The amounts with a unit in a question, except those with 一, which mostly means "a". */
export function amountsIn(question: string): Amount[] {
  return numbersIn(fold(question)).flatMap(({ value, unit, isOne }) =>
    unit && !isOne ? [{ value: value * unit.factor, dimension: unit.dimension }] : [],
  );
}

interface Interval {
  dimension: string;
  from: number;
  to: number;
  isFromIncluded: boolean;
  isToIncluded: boolean;
}
type Bound = Partial<Omit<Interval, 'dimension'>>;

/** Words before or after a number that make it a bound of an interval. */
const bounds: readonly { before?: RegExp; after?: RegExp; of(value: number): Bound }[] = [
  {
    before: /(?:不满|不足|未满|少于|低于|小于|<|\b(?:under|below|less than|fewer than|but not))\s*$/,
    of: (to) => ({ to, isToIncluded: false }),
  },
  {
    before:
      /(?:不超过|不高于|不大于|不多于|最多|至多|≤|\b(?:up to|at most|no more than|not more than|not exceeding|maximum(?: of)?|within))\s*$/,
    of: (to) => ({ to }),
  },
  {
    before: /(?<!每)(?:超过|大于|多于|高于|>|\b(?:over|above|more than|exceeding|longer than))\s*$/,
    of: (from) => ({ from, isFromIncluded: false }),
  },
  {
    before:
      /(?<!每)(?:满|至少|不少于|不低于|不小于|最少|≥|\b(?:at least|no less than|not less than|minimum(?: of)?|from))\s*$/,
    of: (from) => ({ from }),
  },
  { after: /^\s*[(（]?(?:[及含(（]*以[下内]|之?内|or (?:less|fewer|under|below))/, of: (to) => ({ to }) },
  {
    after: /^\s*[(（]?(?:[及含(（]*以上|起|\+|or (?:more|over|older|longer)|and (?:more|over|above))/,
    of: (from) => ({ from }),
  },
];
const between = /^\s*(?:[-–—~～至到]|to|and|up to)\s*$/;
/** Maximum distance of the two bounds of an interval, in UTF-16 units. */
const maxGap = 12;

/**
 * How well an interval in `place` fits one of the amounts. Intervals are two numbers, or words (满 10 年不满 20
 * 年, "up to", "over"). 0 if none contains an amount; 1 if one with two bounds does; 0.5–1 if one with one
 * bound does, more the nearer the bound is, as of several such intervals the nearest applies (满 1 年, 满 10 年).
 * The unit of a table row may be in `columns`, its header row. Pure.
 */
export function intervalFit(amounts: readonly Amount[], place: string, columns = ''): number {
  if (amounts.length === 0) return 0;
  const names = columns === '' ? [] : cellsOf(fold(columns));
  const isRow = place.trimStart().startsWith('|') || names.length > 0;
  const parts = isRow ? cellsOf(fold(place)) : [fold(place)];
  const intervals = parts.flatMap((part, at) => intervalsIn(part, unitOfColumn(names[at] ?? '')));
  return Math.max(0, ...intervals.flatMap((interval) => amounts.map((amount) => fitOf(interval, amount))));
}

function fitOf(
  { dimension, from, to, isFromIncluded, isToIncluded }: Interval,
  { value, dimension: asked }: Amount,
): number {
  const isIn =
    asked === dimension &&
    (isFromIncluded ? value >= from : value > from) &&
    (isToIncluded ? value <= to : value < to);
  if (!isIn) return 0;
  if (Number.isFinite(from) && Number.isFinite(to)) return 1;
  return 0.5 + 0.5 * (Number.isFinite(from) ? from / value : value / to || 0);
}

function unitOfColumn(name: string): Stated['unit'] {
  const words = name.split(/[\s(（)）/,，、:：]+|(?<=\p{Script=Han})(?=年|月|天|元|岁)/u);
  return words.map((word) => unitAt(word, 0)).find((unit) => unit !== undefined) ?? null;
}

function intervalsIn(text: string, ofColumn: Stated['unit']): Interval[] {
  const numbers = numbersIn(text);
  const boundsOf = numbers.map(({ value, start, end }) => {
    const [before, after] = [text.slice(Math.max(0, start - 20), start), text.slice(end)];
    return bounds.find((one) => one.before?.test(before) ?? one.after!.test(after))?.of(value);
  });
  const found: Interval[] = [];
  for (let at = 0; at < numbers.length; at += 1) {
    const [one, next] = [numbers[at]!, numbers[at + 1]];
    const gap = next && text.slice(one.end, next.start);
    const [own, other] = [boundsOf[at], boundsOf[at + 1]];
    const isPair =
      next !== undefined &&
      gap!.length <= maxGap &&
      next.value > (one.value * ((one.unit ?? next.unit)?.factor ?? 1)) / (next.unit?.factor ?? 1) &&
      (between.test(gap!) || (own?.from !== undefined && other?.to !== undefined));
    const unit = (isPair ? (next.unit ?? one.unit) : one.unit) ?? ofColumn;
    if (!unit) continue;
    const scaled = (value: number | undefined, by: Stated['unit'], none: number) =>
      value === undefined ? none : value * (by ?? unit).factor;
    const bound: Bound | undefined = isPair
      ? { ...own, ...other, from: scaled(one.value, one.unit, 0), to: scaled(next.value, next.unit, 0) }
      : own && {
          ...own,
          from: scaled(own.from, one.unit, Number.NEGATIVE_INFINITY),
          to: scaled(own.to, one.unit, Number.POSITIVE_INFINITY),
        };
    if (!bound) continue;
    if (isPair) at += 1;
    const whole = { from: 0, to: 0, isFromIncluded: true, isToIncluded: true, ...bound };
    found.push({ ...whole, dimension: unit.dimension });
  }
  return found;
}
