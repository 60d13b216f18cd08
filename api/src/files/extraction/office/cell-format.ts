import { format, getFormatInfo } from 'numfmt';
import { countedChinese, countedLegal, digits, legalDigits } from './list-numbers.ts';
import numberFormats from './number-formats.json' with { type: 'json' };

/**
 * Number formats with the numbers by which workbooks refer to them, see ECMA-376 part 1, 18.8.30. Dates depend on the
 * language of Excel, and are written in ISO 8601; amounts are written without a currency.
 */
const builtIn: Readonly<Record<string, readonly number[]>> = numberFormats;

export function builtInFormat(id: number): string {
  return Object.entries(builtIn).find(([, ids]) => ids.includes(id))?.[0] ?? 'General';
}

interface CellFormat {
  code: string;
  /** Digits of Chinese numbers: `[DBNum1]` or `[DBNum2]`. */
  chinese: '1' | '2' | null;
  isDate: boolean;
  /** Whether it shows a duration, such as `[h]:mm`, which has no calendar. */
  isElapsed: boolean;
  isGeneral: boolean;
}

const known = new Map<string, CellFormat>();
/** Formats that are remembered; a workbook has a few dozen. */
const maxKnown = 2000;

/**
 * Formats a number as a sheet displays it, by its format code: rounding, sections, conditions, percent, currency, units,
 * fractions. Dates of day, month and year in numbers become `2026-03-05`, since their order depends on the country.
 * `General` has all digits.
 * @param from1904 whether the workbook counts days from 1904.
 */
export function formatNumber(value: number, code: string, from1904 = false): string {
  const { code: used, chinese, isDate, isElapsed, isGeneral } = formatOf(code);
  if ((isGeneral && !chinese) || (isDate && value < 0)) return plain(value);
  const serial = isDate && !isElapsed && from1904 ? value + 1462 : value;
  try {
    const text = format(used, serial, { overflow: '' }).replace(/\s+/g, ' ').trim();
    if (text === '' && isDate) return plain(value);
    return chinese ? inChinese(text, chinese, isDate) : text;
  } catch {
    // The code is not one of Excel's.
    return plain(value);
  }
}

/** Text by the fourth section of a format, or by the last one if it contains `@`. */
export function formatText(value: string, code: string): string {
  const sections = sectionsOf(code);
  const last = sections.at(-1)!;
  const section = sections[3] ?? (hasText.test(last) ? last : '@');
  if (section.trim() === '@') return value;
  try {
    return format(`;;;${section}`, value).replace(/\s+/g, ' ').trim();
  } catch {
    return value;
  }
}

/** Rounds to 15 digits, the precision of spreadsheets: 0.1 + 0.2 is 0.3. Exponents are as in `1E+21` and `1E-07`. */
function plain(value: number): string {
  return String(Number(value.toPrecision(15))).replace(/e([+-])(\d+)$/, (_, sign: string, digits: string) => {
    return `E${sign}${digits.padStart(2, '0')}`;
  });
}

function formatOf(code: string): CellFormat {
  const before = known.get(code);
  if (before) return before;
  if (known.size > maxKnown) known.clear();
  const cleaned = code
    .replace(/g\/通用格式/gi, 'General')
    // In East Asia, a literal character follows `!` as well as `\`.
    .replace(/"[^"]*"|\\.|!(.)/g, (part, literal?: string) => (literal ? `\\${literal}` : part))
    .replace(/^(.*)上午\/下午/, '[$-804]$1AM/PM')
    // Names of days by a code of East Asia, which has no other names.
    .replace(/^(?!.*\[\$-).*\baaaa?\b/i, '[$-804]$&')
    // A language decides on names of months only, never on the marks of decimals.
    .replace(/\[\$([^\]-]+)-[^\]]*\]/g, '"$1"')
    .replace(/\[dbnum\d\]/gi, '');
  const chinese = /\[dbnum([12])\]/i.exec(code)?.[1] as '1' | '2' | undefined;
  const isDate = typeOf(cleaned) !== 'number';
  const format = {
    code: isDate ? sectionsOf(cleaned).map(withIsoDate).join(';') : cleaned,
    chinese: chinese ?? null,
    isDate,
    isElapsed: elapsed.test(cleaned),
    isGeneral: /^(?:general|@|)$/i.test(cleaned.trim()),
  };
  known.set(code, format);
  return format;
}

function typeOf(code: string): 'date' | 'number' {
  try {
    return /date|time/.test(getFormatInfo(code).type) ? 'date' : 'number';
  } catch {
    return 'number';
  }
}

const elapsed = /\[(?:h+|m+|s+)\]/i;

/** An `@` outside of literals. */
const hasText = /^(?:"[^"]*"|\\.|[^"\\@])*@/;

/** Literals, marks in brackets, parts of dates, and everything else. */
const token = /"[^"]*"|\\.|[_*].|\[[^\]]*\]|(am\/pm|a\/p)|([ymdhse]+)(?:\.0+)?|./gi;

/** The format with year, month and day in the order of ISO 8601, unless it is written in Chinese. */
function withIsoDate(section: string): string {
  if (/[年月日]/.test(section)) return section;
  const parts = [...section.matchAll(token)].map((one) => one[2]?.toLowerCase() ?? '');
  const letters = parts.join(' ');
  if (!(/y|e/.test(letters) && /(?:^|[^h])\s?m/.test(letters) && /d/.test(letters))) return section;
  const hasTime = /[hs]/.test(letters);
  const time = /am\/pm|a\/p/i.test(section) ? 'h:mm' : 'hh:mm';
  const noon = /am\/pm|a\/p/i.test(section) ? ' AM/PM' : '';
  return `yyyy-mm-dd${hasTime ? ` ${time}${letters.includes('s') ? ':ss' : ''}${noon}` : ''}`;
}

/** Sections are separated by semicolons outside of literals. */
function sectionsOf(code: string): string[] {
  const sections = [''];
  for (const [part] of code.matchAll(/"[^"]*"|\\.|\[[^\]]*\]|[^"\\[;]+|./g)) {
    if (part === ';') sections.push('');
    else sections[sections.length - 1] += part;
  }
  return sections;
}

/** Decimals and years digit by digit, other numbers in words. */
function inChinese(text: string, kind: '1' | '2', isDate: boolean): string {
  const characters = kind === '1' ? undefined : legalDigits;
  return text.replace(/,(?=\d{3})/g, '').replace(/(\.?)(\d+)/g, (_, point: string, number: string) => {
    if (point !== '' || number.length > 12 || (isDate && number.length === 4)) {
      return point + [...number].map((digit) => digits(Number(digit), characters)).join('');
    }
    return kind === '1' ? countedChinese(Number(number)) : countedLegal(Number(number));
  });
}
