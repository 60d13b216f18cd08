import { stringify } from 'csv-stringify/sync';

/** Prevents CSV injection: adds an apostrophe to fields that begin with = + - @, a tab or CR after blanks. */
export function defused(field: string): string {
  const [blank = ''] = /^[\s\p{Z}\p{Cf}\p{Cc}]*/u.exec(field) ?? [];
  return /[\t\r]/.test(blank) || '=+-@＝＋－＠'.includes(field.charAt(blank.length) || ' ')
    ? `'${field}`
    : field;
}

/** A line of CSV for spreadsheets: every field is quoted and defused; the line ends with CRLF. */
export function csvLine(fields: string[]): string {
  return stringify([fields.map(defused)], { quoted: true, quoted_empty: true, record_delimiter: 'windows' });
}
