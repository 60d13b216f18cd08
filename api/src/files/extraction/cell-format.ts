/**
 * Number formats that workbooks refer to by number only, see ECMA-376 part 1, 18.8.30; dates have codes of
 * the same form.
 */
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
};
for (const id of [14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58])
  Object.assign(builtIn, { [id]: 'yyyy-mm-dd' });
for (const id of [18, 19, 32, 33, 34, 35, 55, 56]) Object.assign(builtIn, { [id]: 'h:mm' });

export function builtInFormat(id: number): string {
  return builtIn[id] ?? 'General';
}

/** Literals, layout marks, currencies, conditions, digits, parts of dates; anything else is literal. */
const token =
  /"([^"]*)"|\\(.)|[_*].|\[\$([^\]-]*)[^\]]*\]|(\[(?:h+|m+|s+)\])|\[[^\]]*\]|([#0?][#0?.,]*(?:E[+-]0+)?|\.0+)|(general)|(am\/pm|a\/p)|([ymdhse]+)|(.)/gi;

/**
 * Formats a number as a sheet displays it, by its format code: decimals, percent, leading zeros, currency,
 * units. Dates become `2026-03-05`, or 2026年3月5日 if the format is Chinese, times `14:30`.
 * @param from1904 whether the workbook counts days from 1904.
 */
export function formatNumber(value: number, code: string, from1904 = false): string {
  const sections = code.split(';');
  const isNegative = value < 0 && sections[1] !== undefined && sections[1] !== '';
  const tokens = [...sections[isNegative ? 1 : 0]!.matchAll(token)];
  const dateParts = tokens.map((one) => one[4] ?? one[8] ?? '').join('');
  if (dateParts !== '') return formatDate(value, dateParts.toLowerCase(), code, from1904);
  const digits = tokens.find((one) => one[5] !== undefined)?.[5];
  if (digits === undefined) return plain(value);
  const isPercent = tokens.some((one) => one[9] === '%');
  const number = formatDigits((isNegative ? -value : value) * (isPercent ? 100 : 1), digits);
  let isPlaced = false;
  const shown = tokens.map((one) => {
    if (one[5] === undefined) return one[1] ?? one[2] ?? one[3] ?? one[9] ?? '';
    if (isPlaced) return '';
    isPlaced = true;
    return number;
  });
  return shown.join('').trim();
}

/** Rounds to 15 digits, the precision of spreadsheets: 0.1 + 0.2 is 0.3. */
function plain(value: number): string {
  return String(Number(value.toPrecision(15)));
}

function formatDigits(value: number, digits: string): string {
  if (/e/i.test(digits) || Math.abs(value) >= 1e15) return plain(value);
  const [whole = '', fraction = ''] = digits.split('.');
  const maxDecimals = fraction.length;
  const minDecimals = fraction.replace(/[^0]/g, '').length;
  const [integer = '', decimals = ''] = Math.abs(Number(value.toPrecision(15)))
    .toFixed(maxDecimals)
    .split('.');
  const kept = decimals.slice(0, minDecimals) + decimals.slice(minDecimals).replace(/0+$/, '');
  const padded = integer.padStart(whole.replace(/[^0]/g, '').length, '0');
  const grouped = /[#0?],[#0?]/.test(whole) ? padded.replace(/\B(?=(?:\d{3})+$)/g, ',') : padded;
  const shown = kept === '' ? grouped : `${grouped}.${kept}`;
  return value < 0 && /[1-9]/.test(shown) ? `-${shown}` : shown;
}

const day = 86_400_000;

function formatDate(value: number, parts: string, code: string, from1904: boolean): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const seconds = Math.round(value * 86_400);
  if (parts.includes('[')) {
    const minutes = Math.floor(seconds / 60);
    return `${Math.floor(minutes / 60)}:${two(minutes % 60)}`;
  }
  const hasTime = /[hs]/.test(parts);
  const hasDate = /[yde]/.test(parts) || !hasTime;
  // Spreadsheet calendars contain a 29 February 1900.
  const epoch = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, value < 60 ? 31 : 30);
  const date = new Date(epoch + Math.floor(seconds / 86_400) * day + (seconds % 86_400) * 1000);
  if (Number.isNaN(date.getTime())) return plain(value);
  const [year, month, dayOfMonth] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  const shownDate = code.includes('年')
    ? `${year}年${month}月${dayOfMonth}日`
    : `${year}-${two(month)}-${two(dayOfMonth)}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  const shownTime = parts.includes('s') ? `${time}:${two(date.getUTCSeconds())}` : time;
  return [hasDate ? shownDate : '', hasTime ? shownTime : ''].filter(Boolean).join(' ');
}
