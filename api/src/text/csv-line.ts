import { stringify } from 'csv-stringify/sync';

/** Prevents CSV injection: adds an apostrophe if a field begins, after white space, with = + - @ or contains a tab or CR there. */
export function defused(field: string): string {
  const [blank = ''] = /^[\s\p{Z}\p{Cf}\p{Cc}]*/u.exec(field) ?? [];
  return /[\t\r]/.test(blank) || '=+-@＝＋－＠'.includes(field.charAt(blank.length) || ' ')
    ? `'${field}`
    : field;
}

/** A line of CSV for spreadsheets: every field is quoted and passed through `defused`; the line ends with CRLF. */
export function csvLine(fields: string[]): string {
  return stringify([fields.map(defused)], { quoted: true, quoted_empty: true, record_delimiter: 'windows' });
}
